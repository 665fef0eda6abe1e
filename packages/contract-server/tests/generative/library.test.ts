import { describe } from '@jest/globals';
import { knows, knowsAuthorization } from '../support/strategies.js';
import { loadContract, testContract } from 'contract-testing/generate';
import { serveVersions } from './stub-versions.js';

const MAX_BODY_BYTES = 4000;

const library = loadContract(
  new URL('../../../../tests/fixtures/library.yaml', import.meta.url).pathname,
);

const strategies = {
  key: knows({ sesame: 'a reader' }, ({ headers }) => headers['x-key']),
  session: knowsAuthorization({
    'Bearer a-token': 'a reader',
    'bearer a-token': 'a reader',
    'BEARER a-token': 'a reader',
  }),
};

describe('requests generated from a contract of OpenAPI 3.0, and sent to the same in 3.1 and 3.2', () => {
  testContract(library, async () => {
    const stubs = await serveVersions(library, { strategies, maxBodyBytes: MAX_BODY_BYTES });
    const secrets = { key: 'sesame', session: 'a-token' };
    return { ...stubs, runs: 30, caller: { secrets, maxBodyBytes: MAX_BODY_BYTES } };
  });
});
