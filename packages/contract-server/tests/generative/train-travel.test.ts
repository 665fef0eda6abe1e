import { describe } from '@jest/globals';
import { knowsAuthorization } from '../support/strategies.js';
import { testFixture } from './stub-versions.js';

const traveller = { scopes: ['read', 'write'] };
const oauth = knowsAuthorization({
  'Bearer a-token': traveller,
  'bearer a-token': traveller,
  'BEARER a-token': traveller,
});

describe('requests generated from a contract with the features of published ones, and sent to the same in 3.2', () => {
  testFixture('train-travel', {
    runs: 30,
    strategies: { oauth },
    secrets: { oauth: 'a-token' },
    errorBody: ({ status, message }) => ({ title: message, status }),
  });
});
