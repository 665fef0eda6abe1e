import { describe } from '@jest/globals';
import { knows, knowsAuthorization } from '../support/strategies.js';
import { testFixture } from './stub-versions.js';

const secrets = { token: 'a-token', key: 'sesame', staff: 'c3RhZmY6c2VzYW1l', accounts: 'a-jwt' };
const guest = { scopes: ['rooms:write'] };
/** The name of an authentication scheme has no case (RFC 9110 §11.1). */
const spellings = (scheme: string, secret: string) =>
  knowsAuthorization(
    Object.fromEntries(
      [scheme, scheme.toLowerCase(), scheme.toUpperCase()].map((name) => [
        `${name} ${secret}`,
        guest,
      ]),
    ),
  );
const strategies = {
  token: spellings('Bearer', secrets.token),
  key: knows({ [secrets.key]: guest }, ({ headers }) => headers['x-api-key']),
  staff: spellings('Basic', secrets.staff),
  accounts: spellings('Bearer', secrets.accounts),
};

describe('requests generated from a contract with every kind of scheme, and sent to the same in 3.2', () => {
  testFixture('bookings', {
    runs: 20,
    strategies,
    secrets,
    errorBody: ({ status, message }) => ({ type: 'about:blank', title: message, status }),
  });
});
