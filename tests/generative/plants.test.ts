import { describe } from '@jest/globals';
import { CONTRACT_PATH, createPlantsCheck } from '../support/contract.js';
import { loadContract, testContract } from 'contract-testing/generate';
import { createPlantsModel } from './plants-model.js';
import { servePlants } from './plants-service.js';

/** A list, so that a change of the generator or the contract that loses one of them is seen. */
const WAYS_TO_BREAK_A_CREATE = [
  'Accept',
  'OPTIONS',
  'body /: required id',
  'body /: required name',
  'body /: type',
  'body /id: greatest integer',
  'body /id: integer',
  'body /id: least integer',
  'body /id: type',
  'body /name: pattern',
  'body /name: type',
  'body /tag: pattern',
  'body /tag: type',
  'body: JSON',
  'body: UTF-8',
  'body: member twice',
  'body: required',
  'body: too large',
  'charset',
  'content coding',
  'credentials: empty',
  'credentials: in the query',
  'credentials: none',
  'credentials: none, and something else wrong',
  'credentials: of another scheme',
  'credentials: twice',
  'credentials: unknown',
  'media type: missing',
  'media type: undeclared',
  'method',
  'path',
  'path: percent-encoding',
  'query: undeclared parameter',
  'target: fragment',
  'target: not a path',
];

describe('requests generated from the contract of the plant store', () => {
  testContract(
    loadContract(CONTRACT_PATH),
    async () => ({
      ...(await servePlants()),
      expect: createPlantsModel(),
      check: createPlantsCheck(),
    }),
    { createPlant: WAYS_TO_BREAK_A_CREATE },
  );
});
