import config from '../jest.config.js';

/** For `npm run test:packages`: what every service made with the packages relies on. */
export default {
  ...config,
  rootDir: '..',
  testMatch: ['<rootDir>/packages/*/tests/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  // What the service's contract declares is covered by `npm test`.
  reporters: ['default'],
};
