import { Strategy, type VerifyFunction } from 'passport-http-bearer';
import type { VerifyToken } from './token-verifier.js';

/** Passport's strategy for the security scheme `bearerAuth` (RFC 6750). */
export function createBearerStrategy(verify: VerifyToken): Strategy<VerifyFunction> {
  return new Strategy<VerifyFunction>({ realm: 'plants' }, (token, done) => {
    let principal;
    try {
      principal = verify(token);
    } catch (error) {
      done(error);
      return;
    }
    done(null, principal ?? false);
  });
}
