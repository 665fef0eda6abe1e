import config from '../../jest.config.js';

/** For `npm run test:scripts`, which `npm test` leaves out: programs that are started again and again take a while. */
export default {
  ...config,
  rootDir: '../..',
  testMatch: ['<rootDir>/tests/scripts/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  // What the contract declares is covered by `npm test`.
  reporters: ['default'],
};
