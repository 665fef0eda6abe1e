import { describe } from '@jest/globals';
import { loadContract, testContract } from 'contract-testing/generate';
import { knowsAuthorization } from '../support/strategies.js';
import { serveVersions } from './stub-versions.js';

const MAX_BODY_BYTES = 4000;

const warehouse = loadContract(
  new URL('../../../../tests/fixtures/warehouse-3.2.yaml', import.meta.url).pathname,
);

describe('requests generated from a contract of OpenAPI 3.2', () => {
  testContract(warehouse, async () => {
    const stubs = await serveVersions(warehouse, {
      strategies: { login: knowsAuthorization({}) },
      maxBodyBytes: MAX_BODY_BYTES,
    });
    return { ...stubs, runs: 20, caller: { secrets: {}, maxBodyBytes: MAX_BODY_BYTES } };
  });
});
