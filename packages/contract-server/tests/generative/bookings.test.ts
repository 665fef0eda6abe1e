import { describe } from '@jest/globals';
import { loadContract, testContract } from 'contract-testing/generate';
import { knows, knowsAuthorization } from '../support/strategies.js';
import { serveVersions } from './stub-versions.js';

const MAX_BODY_BYTES = 4000;

const bookings = loadContract(
  new URL('../../../../tests/fixtures/bookings.yaml', import.meta.url).pathname,
);

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
  testContract(bookings, async () => {
    const stubs = await serveVersions(bookings, {
      strategies,
      errorBody: ({ status, message }) => ({ type: 'about:blank', title: message, status }),
      maxBodyBytes: MAX_BODY_BYTES,
    });
    return { ...stubs, runs: 20, caller: { secrets, maxBodyBytes: MAX_BODY_BYTES } };
  });
});
