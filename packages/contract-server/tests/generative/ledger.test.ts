import { describe } from '@jest/globals';
import { loadContract, testContract } from 'contract-testing/generate';
import { serveVersions } from './stub-versions.js';

const MAX_BODY_BYTES = 4000;

const ledger = loadContract(
  new URL('../../../../tests/fixtures/ledger.yaml', import.meta.url).pathname,
);

describe('requests generated from a contract with bounds beyond 2^53, and sent to the same in 3.2', () => {
  testContract(ledger, async () => {
    const stubs = await serveVersions(ledger, { maxBodyBytes: MAX_BODY_BYTES });
    return { ...stubs, runs: 100, caller: { secrets: {}, maxBodyBytes: MAX_BODY_BYTES } };
  });
});
