import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createCheck, type Check } from '../check.js';
import { casesOf } from './cases.js';
import { check, runsOr, type Target } from './check.js';
import type { Client } from './client.js';
import type { Contract } from './contract.js';
import { createJudge } from './judge.js';
import type { Caller } from './valid-requests.js';

/** A service that is up, and what one must know to call it. */
export interface Subject {
  readonly client: Client;
  readonly caller: Caller;
  readonly expect?: Target['expect'];
  /** How many requests of each kind `npm test` sends to each operation, where not a thousand. */
  readonly runs?: number;
  /** Judges the exchanges, and may count them; by the contract that is tested where it isn't given. */
  readonly check?: Check;
  readonly close: () => Promise<void>;
}

/** For many more runs than there are by default. */
const TIMEOUT_MS = 3_600_000;
/** In fewer runs a way to break a request may not come up. */
const ENOUGH_RUNS = 1000;

/**
 * Tests every operation of a contract with requests made from it, valid ones and broken ones.
 * @param ways by operationId, all the ways in which its requests are to be broken
 */
export function testContract(
  contract: Contract,
  serve: () => Promise<Subject>,
  ways: Readonly<Record<string, readonly string[]>> = {},
): void {
  let subject: Subject;
  let target: Target;

  beforeAll(async () => {
    subject = await serve();
    const { client, expect, caller, check = createCheck({ contract: contract.root }) } = subject;
    const { secrets } = caller;
    const runs = runsOr(subject.runs ?? ENOUGH_RUNS);
    target = { runs, client, judge: createJudge(check), secrets, ...(expect && { expect }) };
  }, TIMEOUT_MS);

  afterAll(async () => {
    await subject.close();
  });

  describe.each(contract.operations.map((operation) => ({ operation, ...operation })))(
    '$operationId',
    ({ operation, operationId }) => {
      it(
        'answers every valid request with a declared success',
        async () => {
          const { valid } = casesOf(contract, operation, subject.caller);

          const sent = await check(`${operationId} answers`, valid, target);

          expect([...sent.keys()]).toEqual(['nothing']);
        },
        TIMEOUT_MS,
      );

      it(
        'refuses every request that is broken in one way, with the status for it',
        async () => {
          const { broken } = casesOf(contract, operation, subject.caller);

          const sent = await check(`${operationId} refuses`, broken, target);

          const wanted = ways[operationId];
          if (wanted === undefined || target.runs < ENOUGH_RUNS)
            expect(sent.size).toBeGreaterThan(0);
          else expect([...sent.keys()].sort()).toEqual([...wanted].sort());
        },
        TIMEOUT_MS,
      );
    },
  );
}
