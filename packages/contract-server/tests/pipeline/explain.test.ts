import request from 'supertest';
import { describe, expect, it } from '@jest/globals';
import { contractOf, engineResponses, serveFixture } from '../support/fixture.js';

const query = (name: string, schema: object) => ({ name, in: 'query', schema });

async function told(target: string): Promise<string> {
  const get = {
    operationId: 'listThings',
    parameters: [
      query('from', { type: 'string', format: 'date-time' }),
      query('phones', { type: 'array', items: { type: 'string', pattern: '^\\+\\d+$' } }),
      query('change', { type: 'integer' }),
      query('name', { type: 'string', maxLength: 3 }),
    ],
    responses: { ...engineResponses, '204': { description: '' } },
  };
  const contract = contractOf({ '/things': { get } });
  const { app } = await serveFixture(contract, { listThings: () => ({ status: 204 }) });
  const { status, text } = await request(app).get(target);
  return status === 204 ? '' : (JSON.parse(text) as { message: string }).message;
}

const HINT = 'it has a space, for which + stands in a query; write + as %2B';

describe('OpenAPI 3.1.0 §4.8.12 a plus in a query is a space', () => {
  it.each([
    ['from=2026-11-22T12:00:00+01:00', `query /from: must match format "date-time"; ${HINT}`],
    ['phones=+4930', `query /phones/0: must match pattern "^\\+\\d+$"; ${HINT}`],
    ['change=+1', `query /change: must be integer; ${HINT}`],
  ])('and what is wrong for that reason is told how to write it: %s', async (sent, message) => {
    expect(await told(`/things?${sent}`)).toBe(message);
  });

  it('and nothing is said of it where it is not the reason', async () => {
    expect(await told('/things?name=a+bc')).toBe(
      'query /name: must NOT have more than 3 characters',
    );
    expect(await told('/things?from=2026-11-22')).not.toContain('%2B');
    expect(await told('/things?from=2026-11-22T12:00:00%2B01:00')).toBe('');
  });
});
