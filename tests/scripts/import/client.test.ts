import { afterEach, describe, expect, it } from '@jest/globals';
import {
  createPlantClient,
  parseRetryAfter,
  type Client,
  type Outcome,
} from '../../../scripts/import/client.js';
import { ConnectionError, createHttpClient } from '../../../scripts/import/http-client.js';
import { startStandIn, type StandIn } from '../import-process.js';

const open: (Pick<StandIn, 'close'> | Pick<Client, 'close'>)[] = [];

afterEach(() => {
  for (const { close } of open.splice(0)) close();
});

async function answeredWith(status: number, body: string): Promise<Outcome> {
  const target = await startStandIn((response) => response.writeHead(status).end(body));
  const client = createPlantClient(target.url, 'token', 1);
  open.push(client, target);
  return client.create({ id: 1n, name: 'x' });
}

describe('create', () => {
  it.each([
    [400, 'refused'],
    [409, 'refused'],
    [413, 'refused'],
    [500, 'failed'],
    [408, 'unavailable'],
    [429, 'unavailable'],
    [502, 'unavailable'],
    [503, 'unavailable'],
    [504, 'unavailable'],
  ])('takes %i for %s, with the code and the message of the answer', async (status, kind) => {
    const outcome = await answeredWith(status, '{"error":12345,"message":"why"}');

    expect(outcome).toMatchObject({ kind, code: 12345, message: 'why' });
  });

  it('has the status for a code where there is no error body', async () => {
    const outcome = await answeredWith(413, '<html>');

    expect(outcome).toEqual({
      kind: 'refused',
      code: 'HTTP 413',
      message: 'the answer was 413, without an error body',
    });
  });

  it.each([
    ['another plant', '{"name":"y"}'],
    ['a tag that was not sent', '{"name":"x","tag":"t"}'],
    ['no JSON', 'x'],
    ['nothing', ''],
  ])('does not believe a 200 with %s', async (_case, body) => {
    await expect(answeredWith(200, body)).rejects.toThrow('it is no plant store');
  });

  it('has no answer where nobody listens', async () => {
    const target = await startStandIn(() => undefined);
    target.close();
    const client = createPlantClient(target.url, 'token', 1);
    open.push(client);

    const outcome = await client.create({ id: 1n, name: 'x' });

    expect(outcome).toMatchObject({ kind: 'unavailable', code: 'ECONNREFUSED' });
  });
});

describe('createHttpClient', () => {
  it('gives up on a service that is silent for too long', async () => {
    const target = await startStandIn(() => undefined);
    const { post, close } = createHttpClient(target.url, 'token', {
      connections: 1,
      timeoutMs: 50,
    });
    open.push({ close }, target);

    const answer = post('{}');

    await expect(answer).rejects.toEqual(new ConnectionError('ETIMEDOUT'));
  });
});

describe('parseRetryAfter', () => {
  it.each([
    [undefined, 0],
    ['0', 0],
    ['3', 3000],
    ['Thu, 01 Jan 1970 00:00:15 GMT', 5000],
    ['Thu, 01 Jan 1970 00:00:05 GMT', 0],
    ['soon', 0],
    ['-1', 0],
  ])('reads %j as %i ms', (header, ms) => {
    expect(parseRetryAfter(header, 10_000)).toBe(ms);
  });
});
