import config from '../../jest.config.js';

/** For `npm run test:postgres`, which `npm test` leaves out: what needs Debian's packages of real servers. */
export default {
  ...config,
  rootDir: '../..',
  testMatch: ['<rootDir>/tests/postgres/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  // One after the other: each starts servers of its own.
  maxWorkers: 1,
  testTimeout: 120_000,
  // What the contract declares is covered by `npm test`.
  reporters: ['default'],
};
