import { errors, jwtVerify } from 'jose';
import { ApiError } from '../exchange/api-error.js';
import { JwtRefusedError, readPrincipal } from './jwt-claims.js';
import { createProviderKeys, type AuthLogger } from './provider-keys.js';
import { digest } from './token-file.js';
import { SYSTEM_CLOCK, type Clock, type Principal } from './token-verifier.js';
import { createVerifiedTokens } from './verified-tokens.js';

/** Asymmetric ones alone: a secret that both sides know can't be told from a public key. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
/** How far the clocks of issuer and service may be apart, for `exp` and `nbf`. */
const LEEWAY_S = 30;
const MAX_LENGTH = 8192;
const MAX_VERIFIED = 10_000;

export interface JwtVerifierOptions {
  readonly issuer: string;
  readonly audience: string;
  readonly logger: AuthLogger;
  readonly clock?: Clock;
}

/**
 * Verifies the access tokens of one issuer for one audience (RFC 7519 §7.2, RFC 9068 §4). Why one is
 * refused stands in the log, at level debug and without any value that was in it.
 */
export function createJwtVerifier({
  issuer,
  audience,
  logger,
  clock = SYSTEM_CLOCK,
}: JwtVerifierOptions): (token: string) => Promise<Principal | undefined> {
  const keys = createProviderKeys(issuer, { logger, clock });
  const verified = createVerifiedTokens(MAX_VERIFIED, clock);
  keys.refreshOld();

  async function verify(token: string, sha256: string): Promise<Principal> {
    if (token.length > MAX_LENGTH)
      throw new JwtRefusedError(`it has more than ${MAX_LENGTH} characters`);
    const { payload, protectedHeader } = await jwtVerify(token, keys.find, {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: LEEWAY_S,
      requiredClaims: ['exp'],
      currentDate: new Date(clock.now()),
    });
    const principal = readPrincipal(issuer, protectedHeader, payload);
    verified.keep(sha256, principal, ((payload.exp ?? 0) + LEEWAY_S) * 1000);
    return principal;
  }

  return async (token) => {
    keys.refreshOld();
    const sha256 = digest(token);
    try {
      return verified.find(sha256) ?? (await verify(token, sha256));
    } catch (error) {
      if (error instanceof ApiError) throw error;
      logger.debug({ reason: reasonOf(error) }, 'refused a JWT');
      return undefined;
    }
  };
}

/** What jose says in words may quote the token; its codes don't. */
function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired)
    return `${error.code}: ${error.claim}`;
  if (error instanceof errors.JOSEError) return error.code;
  // Other errors are about a key of the provider that can't be used, such as a short one.
  return error instanceof Error ? error.message : String(error);
}
