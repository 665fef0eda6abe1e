import { describe } from '@jest/globals';
import { testFixture } from './stub-versions.js';

describe('requests generated from a contract with forms, and sent to the same in 3.2', () => {
  testFixture('uploads', { runs: 20 });
});
