import { describe, expect, it } from '@jest/globals';
import {
  createRequestCheck,
  createResponseCheck,
  loadContract,
  mutantsOf,
} from 'contract-testing/generate';
import { caller, serveMutant, serveMutantAnswers } from './generative/plants-mutants.js';
import { CONTRACT_PATH } from './support/contract.js';

/** It takes about 15 s; a machine that does other things too takes several times that. */
const TIMEOUT_MS = 180_000;

const TEXT = 'a header is a text anyway; its schema would have to say more to be broken';
const ALLOW =
  'the engine itself writes Allow, always and never empty, and no handler can change that';
const SERVER = 'answered by the HTTP server, before there is a request for the engine to answer';
const TWICE = 'Plant, the other half of the allOf, says it too';

/** What no check made from the contract notices when it is gone, and why that is right. */
const UNNOTICED: Readonly<Record<string, string>> = {
  '/components/schemas/NewPlant/allOf/1/required/1': TWICE,
  '/components/schemas/NewPlant/allOf/1/type': TWICE,
  '/components/headers/RequestId/schema/type': TEXT,
  '/components/headers/RateLimit/schema/type': TEXT,
  '/components/headers/RateLimitPolicy/schema/type': TEXT,
  '/components/responses/Unauthorized/headers/WWW-Authenticate/schema/type': TEXT,
  '/components/responses/UnsupportedMediaType/headers/Accept/schema/type': TEXT,
  '/components/responses/UnsupportedMediaType/headers/Accept-Encoding/schema/type': TEXT,
  '/components/responses/Options/headers/Allow/schema/type': TEXT,
  '/components/responses/MethodNotAllowed/headers/Allow/schema/type': TEXT,
  '/components/responses/Options/headers/Allow/required': ALLOW,
  '/components/responses/Options/headers/Allow/schema/minLength': ALLOW,
  '/components/responses/MethodNotAllowed/headers/Allow/required': ALLOW,
  '/components/responses/MethodNotAllowed/headers/Allow/schema/minLength': ALLOW,
  '/components/responses/RequestHeaderFieldsTooLarge/content/application~1json': SERVER,
  '/x-unmatched-responses/408': SERVER,
  '/x-unmatched-responses/431': SERVER,
};

const contract = loadContract(CONTRACT_PATH);
type Check = ReturnType<typeof createRequestCheck>;
const ofRequests: Check[] = contract.operations.map((operation) =>
  createRequestCheck(contract, operation, caller, serveMutant),
);
const ofResponses: Check[] = contract.operations.map((operation) =>
  createResponseCheck(contract, operation, caller, serveMutantAnswers),
);

describe('the checks that are made from the contract', () => {
  it(
    'find nothing wrong with a service of that contract',
    async () => {
      for (const check of [...ofRequests, ...ofResponses]) {
        expect(await check(contract.root)).toBeUndefined();
      }
    },
    TIMEOUT_MS,
  );

  it(
    'find something wrong with a service of a contract that lacks any one constraint',
    async () => {
      const unnoticed: string[] = [];
      const unnoticedFlipped: string[] = [];

      for (const { name, root, flipped } of mutantsOf(contract.root)) {
        // First the check that is the likelier to notice: most of the time goes into starting.
        const isOfResponses = /responses|headers|Error/.test(name);
        const checks = isOfResponses
          ? [...ofResponses, ...ofRequests]
          : [...ofRequests, ...ofResponses];
        const isNoticed = async (mutant: typeof root): Promise<boolean> => {
          for (const check of checks) if ((await check(mutant)) !== undefined) return true;
          return false;
        };
        if (await isNoticed(root)) continue;
        unnoticed.push(name);
        // What isn't missed must at least be looked at.
        if (flipped !== undefined && !(await isNoticed(flipped))) unnoticedFlipped.push(name);
      }

      expect(unnoticed.sort()).toEqual(Object.keys(UNNOTICED).sort());
      expect(unnoticedFlipped).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
