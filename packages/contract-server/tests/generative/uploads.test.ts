import { describe } from '@jest/globals';
import { loadContract, testContract } from 'contract-testing/generate';
import { serveVersions } from './stub-versions.js';

const MAX_BODY_BYTES = 4000;

const uploads = loadContract(
  new URL('../../../../tests/fixtures/uploads.yaml', import.meta.url).pathname,
);

describe('requests generated from a contract with forms, and sent to the same in 3.2', () => {
  testContract(uploads, async () => {
    const stubs = await serveVersions(uploads, { maxBodyBytes: MAX_BODY_BYTES });
    return { ...stubs, runs: 20, caller: { secrets: {}, maxBodyBytes: MAX_BODY_BYTES } };
  });
});
