/** Who may call: opaque tokens that a file has the digests of, and strategies that take them. */
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
export {
  createTokenVerifier,
  type Clock,
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
