import { describe } from '@jest/globals';
import { loadContract, testContract } from 'contract-testing/generate';
import { serveStubs } from './stub-service.js';

const MAX_BODY_BYTES = 4000;

const uploads = loadContract(
  new URL('../../../../tests/fixtures/uploads.yaml', import.meta.url).pathname,
);

describe('requests generated from a contract with forms', () => {
  testContract(uploads, async () => {
    const errorBody = ({ code, message }: { code: number; message: string }) => ({
      error: code,
      message,
    });
    const stubs = await serveStubs(uploads, {}, errorBody, MAX_BODY_BYTES);
    return { ...stubs, runs: 20, caller: { secrets: {}, maxBodyBytes: MAX_BODY_BYTES } };
  });
});
