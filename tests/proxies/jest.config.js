import config from '../postgres/jest.config.js';

/** For `npm run test:proxies`: the proxies of deploy/, in front of copies of the service on PostgreSQL. */
export default {
  ...config,
  testMatch: ['<rootDir>/tests/proxies/**/*.test.ts'],
};
