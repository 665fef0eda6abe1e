import own from '../../jest.config.js';

/** Makes projects, installs and tests them: minutes, and the registry. `npm run test:create`. */
export default {
  ...own,
  rootDir: '../..',
  testMatch: ['<rootDir>/tests/created/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 900_000,
  maxWorkers: 1,
  reporters: ['default'],
};
