import type { OidcConfig } from './oidc-settings.js';
import type { AuthLogger } from './provider-keys.js';
import type { Principal, VerifyToken } from './token-verifier.js';

/**
 * Finds out whose bearer token it is; undefined where it is refused. Throws, or rejects with, an ApiError
 * where that can't be found out now.
 */
export type VerifyBearer = (
  token: string,
) => Principal | undefined | Promise<Principal | undefined>;

/** What a JWS or an unsecured JWT looks like (RFC 7515 §7.1). No token of a file has a dot. */
const JWT_FORM = /^[^.]+\.[^.]*\.[^.]*$/;

/**
 * Verifies bearer tokens: JWTs where an issuer is configured, and all others by `verifyOpaque`. The
 * provider is asked for its keys at once, in the background, and need not answer.
 */
export async function createBearerVerifier(
  { oidcIssuer, oidcAudience }: OidcConfig,
  verifyOpaque: VerifyToken,
  logger: AuthLogger,
): Promise<VerifyBearer> {
  if (oidcIssuer === '') return verifyOpaque;
  // Imported only here: a service without an issuer needs nothing that verifies signatures.
  const { createJwtVerifier } = await import('./jwt-verifier.js');
  const verifyJwt = createJwtVerifier({ issuer: oidcIssuer, audience: oidcAudience, logger });
  return (token) => (JWT_FORM.test(token) ? verifyJwt(token) : verifyOpaque(token));
}
