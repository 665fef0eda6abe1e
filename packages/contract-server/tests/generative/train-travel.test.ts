import { describe } from '@jest/globals';
import { knowsAuthorization } from '../support/strategies.js';
import { loadContract, testContract } from 'contract-testing/generate';
import { serveStubs } from './stub-service.js';

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

describe('requests generated from a contract with the features of published ones', () => {
  testContract(trains, async () => {
    const stubs = await serveStubs(
      trains,
      { oauth },
      ({ status, message }) => ({ title: message, status }),
      MAX_BODY_BYTES,
    );
    return {
      ...stubs,
      runs: 30,
      caller: { secrets: { oauth: 'a-token' }, maxBodyBytes: MAX_BODY_BYTES },
    };
  });
});
