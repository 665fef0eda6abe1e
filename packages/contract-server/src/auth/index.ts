/**
 * Who may call: opaque tokens that a file has the digests of, JWTs of an OpenID provider, and strategies
 * that take them.
 */
export { createBearerVerifier, type VerifyBearer } from './bearer-verifier.js';
export { OIDC_SETTINGS, type OidcConfig } from './oidc-settings.js';
export {
  createFirstToken,
  createToken,
  digest,
  readTokens,
  revokeToken,
  TokenFileError,
  type NewToken,
  type TokenRecord,
} from './token-file.js';
export type { AuthLogger } from './provider-keys.js';
export {
  createTokenVerifier,
  type Clock,
  type JwtIdentity,
  type Principal,
  type VerifyToken,
} from './token-verifier.js';
export {
  apiKeyStrategy,
  basicStrategy,
  bearerStrategy,
  refusingStrategy,
  type Realm,
} from './strategies.js';
