import { describe } from '@jest/globals';
import { knows, knowsAuthorization } from '../support/strategies.js';
import { testFixture } from './stub-versions.js';

const strategies = {
  key: knows({ sesame: 'a reader' }, ({ headers }) => headers['x-key']),
  session: knowsAuthorization({
    'Bearer a-token': 'a reader',
    'bearer a-token': 'a reader',
    'BEARER a-token': 'a reader',
  }),
};

describe('requests generated from a contract of OpenAPI 3.0, and sent to the same in 3.1 and 3.2', () => {
  testFixture('library', { runs: 30, strategies, secrets: { key: 'sesame', session: 'a-token' } });
});
