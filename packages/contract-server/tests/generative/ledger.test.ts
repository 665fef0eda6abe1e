import { describe } from '@jest/globals';
import { testFixture } from './stub-versions.js';

describe('requests generated from a contract with bounds beyond 2^53, and sent to the same in 3.2', () => {
  testFixture('ledger', { runs: 100 });
});
