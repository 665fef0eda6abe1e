import config from '../hostile/jest.config.js';

/** For `npm run test:deploy`: the files of deploy/ that need root, Debian's packages, or both. */
export default {
  ...config,
  testMatch: ['<rootDir>/tests/deploy/**/*.test.ts'],
  testTimeout: 300_000,
};
