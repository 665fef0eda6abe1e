import config from '../../jest.config.js';

/** For `npm run test:identity`, which `npm test` leaves out: it waits until a provider may be asked again. */
export default {
  ...config,
  rootDir: '../..',
  testMatch: ['<rootDir>/tests/identity/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 60_000,
  // What the contract declares is covered by `npm test`.
  reporters: ['default'],
};
