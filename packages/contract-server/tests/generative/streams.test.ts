import { describe } from '@jest/globals';
import { loadContract, testContract } from 'contract-testing/generate';
import { serveVersions } from './stub-versions.js';

const MAX_BODY_BYTES = 4000;

const streams = loadContract(
  new URL('../../../../tests/fixtures/streams.yaml', import.meta.url).pathname,
);

describe('requests generated from a contract with bodies of items, and sent to the same in 3.2', () => {
  testContract(streams, async () => {
    const stubs = await serveVersions(streams, { maxBodyBytes: MAX_BODY_BYTES });
    return { ...stubs, runs: 20, caller: { secrets: {}, maxBodyBytes: MAX_BODY_BYTES } };
  });
});
