import config from '../../jest.config.js';

/** For `npm run test:hostile`, which `npm test` leaves out: what takes long, or loads the machine. */
export default {
  ...config,
  rootDir: '../..',
  testMatch: ['<rootDir>/tests/hostile/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  // One after the other: an attack on one service must not be what slows another one down.
  maxWorkers: 1,
  testTimeout: 120_000,
  // What the contract declares is covered by `npm test`.
  reporters: ['default'],
};
