import { describe } from '@jest/globals';
import { testFixture } from './stub-versions.js';

describe('requests generated from a contract with bodies of items, and sent to the same in 3.2', () => {
  testFixture('streams', { runs: 20 });
});
