import config from '../../jest.config.js';

/** For `npm run test:browser`, which `npm test` leaves out: it needs Chromium. */
export default {
  ...config,
  rootDir: '../..',
  testMatch: ['<rootDir>/tests/browser/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
  testTimeout: 60_000,
  // What the contract declares is covered by `npm test`.
  reporters: ['default'],
};
