import config from '../../jest.config.js';

/** For `npm run test:fuzz`: what is generated for the service and for the packages' fixtures. */
export default {
  ...config,
  rootDir: '../..',
  testMatch: [
    '<rootDir>/tests/generative/**/*.test.ts',
    '<rootDir>/packages/*/tests/generative/**/*.test.ts',
  ],
  testPathIgnorePatterns: ['/node_modules/'],
  reporters: ['default'],
};
