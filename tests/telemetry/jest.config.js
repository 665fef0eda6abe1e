import config from '../../jest.config.js';

/** For `npm run test:telemetry`, which `npm test` leaves out: what needs Prometheus and a Collector. */
export default {
  ...config,
  rootDir: '../..',
  testMatch: ['<rootDir>/tests/telemetry/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
  testTimeout: 60_000,
  // What the contract declares is covered by `npm test`.
  reporters: ['default'],
};
