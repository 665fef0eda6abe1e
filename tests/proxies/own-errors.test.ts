import { afterEach, describe, expect, it } from '@jest/globals';
import { expectError } from '../support/expect-error.js';
import { eventually } from '../support/eventually.js';
import { connect, rawRequest, type RawResponse } from '../support/raw-http.js';
import { findFreePort } from '../postgres/support/cluster.js';
import { caddy } from './support/caddy.js';
import { haproxy } from './support/haproxy.js';
import { nginx } from './support/nginx.js';
import { startProxy, type Proxy, type Replacements } from './support/proxy.js';
import {
  answers,
  breaksOff,
  isSilent,
  startUpstream,
  type Behaviour,
  type Upstream,
} from './support/upstream.js';

const CREATE = rawRequest(
  'POST /plants HTTP/1.1',
  { 'X-Request-Id': 'mine', traceparent: '00-1-2-3' },
  '{}',
);

let upstream: Upstream | undefined;
let proxy: Proxy;

afterEach(async () => {
  await proxy.remove();
  await upstream?.close();
  upstream = undefined;
});

/** The answers to these bytes, each sent on a connection of its own, without a judge: not all are the contract's. */
async function send(bytes: string, times = 1): Promise<RawResponse[]> {
  const responses = [];
  for (let sent = 0; sent < times; sent++) {
    const connection = await connect(proxy.url, { ca: proxy.ca, check: undefined });
    connection.send(bytes);
    responses.push(await connection.response());
    connection.destroy();
  }
  return responses;
}

describe.each([nginx, haproxy, caddy])('$name', (program) => {
  async function startBefore(behave: Behaviour, replacements: Replacements = {}): Promise<void> {
    upstream = await startUpstream(behave);
    // Two copies to the proxy, so that it has another one to try.
    proxy = await startProxy(program, [upstream.port, upstream.port], replacements);
  }

  /** What is answered here, where a proxy can be told what to say. */
  async function expectOwn(bytes: string, error: number): Promise<void> {
    const [response] = await send(bytes);
    if (response === undefined) throw new Error('there is no answer');
    expectError(response, error);
    if (error > 50_200) expect(response.headers['retry-after']).toBe('1');
  }

  it('passes on the ids of the exchange and the trace, and nothing of hops before it', async () => {
    await startBefore(answers);
    const headers = { 'X-Request-Id': 'mine', traceparent: '00-1-2-3' };
    const hops = {
      'X-Forwarded-Host': 'evil',
      'X-Forwarded-For': '203.0.113.1',
      Forwarded: 'for=_a',
    };

    await send(rawRequest('POST /plants HTTP/1.1', { ...headers, ...hops }, '{}'));

    const [arrived] = upstream?.requests ?? [];
    expect(arrived).toMatchObject({ 'x-request-id': 'mine', traceparent: '00-1-2-3' });
    expect(arrived).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' });
    expect(arrived?.forwarded).toBeUndefined();
    expect(arrived?.['x-forwarded-host']).not.toBe('evil');
  });

  it('keeps its connections to the copies', async () => {
    await startBefore(answers, program.fitted);
    const connection = await connect(proxy.url, { ca: proxy.ca, check: undefined });
    for (let sent = 0; sent < 20; sent++) {
      connection.send(CREATE);
      expect((await connection.response()).status).toBe(200);
    }
    connection.destroy();

    expect(upstream?.requests).toHaveLength(20);
    expect(upstream?.connections).toBeLessThanOrEqual(2);
  });

  it('sends a create once where the service breaks off, and says that it may be repeated', async () => {
    await startBefore(breaksOff);

    await expectOwn(CREATE, 50290);
    expect(upstream?.requests).toHaveLength(1);
  });

  it('says that the service did not answer in time', async () => {
    await startBefore(isSilent, program.impatient);

    await expectOwn(CREATE, 50490);
    expect(upstream?.requests).toHaveLength(1);
  });

  it('says that nobody is there', async () => {
    proxy = await startProxy(program, [await findFreePort()]);

    // nginx doesn't tell a connection that couldn't be made from one that broke.
    await expectOwn(CREATE, program === nginx ? 50290 : 50390);
  });

  if (program.strict !== undefined) {
    it('says that an address sends too many requests', async () => {
      await startBefore(answers, program.strict);

      const refused = (await send(CREATE, 8)).filter(({ status }) => status !== 200);
      expect(refused.length).toBeGreaterThan(0);
      for (const response of refused) {
        expectError(response, 42990);
        expect(response.headers['retry-after']).toBe('1');
      }
    });

    it('serves an address that always sends too many requests as many as it may send', async () => {
      await startBefore(answers, program.strict);
      let served = 0;

      await eventually(async () => {
        const [response] = await send(CREATE);
        if (response?.status === 200) served++;
        return served >= 5 || undefined;
      }, 10_000);
    });
  }

  it('passes on as many lines of headers as the service takes', async () => {
    await startBefore(answers);
    const headers = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`A${n}`, 'a']));

    expect(await send(rawRequest('GET / HTTP/1.1', headers))).toMatchObject([{ status: 200 }]);
    expect(upstream?.requests).toMatchObject([{ a0: 'a', a899: 'a' }]);
  });

  it.each([
    ['what is not HTTP', 'POST /plants HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n', 40003, 400],
    [
      'headers of 90 kB',
      rawRequest('GET / HTTP/1.1', lines(9)),
      43101,
      program === caddy ? 431 : 400,
    ],
  ])('answers %s', async (_what, bytes, error, ownPage) => {
    await startBefore(answers);

    if (program === nginx) await expectOwn(bytes, error);
    // The others have a page for these that no configuration changes.
    else expect(await send(bytes)).toMatchObject([{ status: ownPage }]);
  });
});

function lines(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`A${n}`, 'a'.repeat(10_000)]));
}
