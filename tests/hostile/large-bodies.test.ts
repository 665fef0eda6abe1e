import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connect, rawCreate, rawRequest } from '../support/raw-http.js';
import { startService, type Service } from '../support/service.js';

const CONNECTIONS = 32;
const BODIES_EACH = 2;
const BODY_BYTES = 250_000;
/** How many large bodies may be answered while one small request waits for its own answer. */
const MAX_OVERTAKEN = 6;

/** What a body has after its id. */
const TAILS: readonly (readonly [string, string])[] = [
  ['a long name', `"name":"${'x'.repeat(BODY_BYTES)}"}`],
  ['members that the contract does not name', tailOf((n) => `"m${n}":${n}`)],
  ['integers beyond 2^53', tailOf((n) => `"m${n}":${2n ** 60n + BigInt(n)}`)],
  ['nested arrays', tailOf((n) => `"m${n}":${'['.repeat(200)}${']'.repeat(200)}`)],
];

function tailOf(member: (n: number) => string): string {
  const members = ['"name":"fern"'];
  for (let n = 0, length = 0; length < BODY_BYTES; n++) {
    length += members[n]?.length ?? 0;
    members.push(member(n));
  }
  return `${members.join()}}`;
}

let service: Service;

beforeEach(async () => {
  service = await startService();
});

afterEach(async () => {
  await service.kill();
});

describe.each(TAILS)('large bodies with %s, on many connections without a pause', (_case, tail) => {
  it('let everybody else in between', async () => {
    let answered = 0;
    let isOver = false;
    let nextId = 1;

    async function flood(): Promise<void> {
      const connection = await connect(service.url, { check: undefined });
      for (let sent = 0; sent < BODIES_EACH; sent++) {
        connection.send(rawCreate(service.token, `{"id":${nextId++},${tail}`));
        expect((await connection.response()).status).toBe(200);
        answered++;
      }
      connection.destroy();
    }

    async function probe(): Promise<number[]> {
      const connection = await connect(service.url, { check: undefined });
      const overtaken: number[] = [];
      while (!isOver) {
        const before = answered;
        connection.send(rawRequest('GET /healthz HTTP/1.1', {}));
        expect((await connection.response()).status).toBe(200);
        overtaken.push(answered - before);
      }
      connection.destroy();
      return overtaken;
    }

    const probing = probe();
    await Promise.all(Array.from({ length: CONNECTIONS }, flood));
    isOver = true;

    expect(Math.max(...(await probing))).toBeLessThanOrEqual(MAX_OVERTAKEN);
  });
});
