import { describe } from '@jest/globals';
import { knowsAuthorization } from '../support/strategies.js';
import { loadContract, testContract } from 'contract-testing/generate';
import { serveVersions } from './stub-versions.js';

const MAX_BODY_BYTES = 4000;

const trains = loadContract(
  new URL('../../../../tests/fixtures/train-travel.yaml', import.meta.url).pathname,
);

const traveller = { scopes: ['read', 'write'] };
const oauth = knowsAuthorization({
  'Bearer a-token': traveller,
  'bearer a-token': traveller,
  'BEARER a-token': traveller,
});

describe('requests generated from a contract with the features of published ones, and sent to the same in 3.2', () => {
  testContract(trains, async () => {
    const stubs = await serveVersions(trains, {
      strategies: { oauth },
      errorBody: ({ status, message }) => ({ title: message, status }),
      maxBodyBytes: MAX_BODY_BYTES,
    });
    return {
      ...stubs,
      runs: 30,
      caller: { secrets: { oauth: 'a-token' }, maxBodyBytes: MAX_BODY_BYTES },
    };
  });
});
