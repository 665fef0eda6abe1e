import { createServer } from 'node:http';
import { describe } from '@jest/globals';
import { createCheck } from 'contract-testing';
import { listen, loadContract, testContract } from 'contract-testing/generate';
import { UNTESTED, secretsOf } from './support/credentials.js';
import { CONTRACT, createTestService, MAX_BODY_BYTES } from './support/service.js';

/** So many requests of each kind are sent to each operation: valid ones, and ones broken in one way. */
const RUNS = 50;

const contract = loadContract(CONTRACT);
const operations = contract.operations.filter(({ operationId }) => !UNTESTED.includes(operationId));

describe('requests made from the contract', () => {
  testContract({ ...contract, operations }, async () => {
    const { app, token } = await createTestService();
    return {
      ...(await listen(createServer(app))),
      runs: RUNS,
      check: createCheck({ contract: CONTRACT }),
      caller: { secrets: secretsOf(token), maxBodyBytes: MAX_BODY_BYTES },
    };
  });
});
