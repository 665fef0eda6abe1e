import config from '../postgres/jest.config.js';

/** For `npm run test:failover`: faults of a primary, its standby and what is between them, under load. */
export default {
  ...config,
  testMatch: ['<rootDir>/tests/failover/**/*.test.ts'],
};
