import { describe } from '@jest/globals';
import { knowsAuthorization } from '../support/strategies.js';
import { testFixture } from './stub-versions.js';

describe('requests generated from a contract of OpenAPI 3.2', () => {
  testFixture('warehouse-3.2', { runs: 20, strategies: { login: knowsAuthorization({}) } });
});
