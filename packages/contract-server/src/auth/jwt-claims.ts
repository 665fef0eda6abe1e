import type { JWTHeaderParameters, JWTPayload } from 'jose';
import type { JwtIdentity, Principal } from './token-verifier.js';

/** A JWT whose signature is good, and which is no access token that can be used. Its message has no value of a claim. */
export class JwtRefusedError extends Error {
  override readonly name = 'JwtRefusedError';
}

/** OpenID Connect Core 1.0 §2: a subject is no longer. It isn't cut: two could become one. */
const MAX_NAME_LENGTH = 255;
/** Not every store can hold U+0000, and no log should have a line's end or half a surrogate pair. */
const UNFIT = /[\p{Cc}\p{Cs}]/u;

/**
 * Whom a verified JWT was given to, and what for.
 * @throws JwtRefusedError where it is no access token, or has no subject that can be logged and stored
 */
export function readPrincipal(
  issuer: string,
  { typ }: Partial<JWTHeaderParameters>,
  claims: JWTPayload,
): Principal {
  refuseOtherTypes(typ, claims);
  // RFC 7800 §3.1: only who proves to have the key may use it (RFC 9449, RFC 8705), and no proof is read here.
  if (claims.cnf !== undefined) throw new JwtRefusedError('it is bound to a key of its holder');
  const subject = readName('sub', claims.sub);
  if (subject === undefined) throw new JwtRefusedError('it has no sub');
  // RFC 9068 §2.2, and OpenID Connect Core 1.0 §2 where an issuer names it as in its ID tokens.
  const clientId = readName('client_id', claims.client_id) ?? readName('azp', claims.azp);
  const jwt: JwtIdentity = { issuer, subject, clientId };
  return Object.freeze({ name: nameOf(jwt), scopes: readScopes(claims), jwt });
}

/** Subject and client can have any characters, so what parts them is quoted in them. */
function nameOf({ subject, clientId = '' }: JwtIdentity): string {
  const [quotedSubject, quotedClient] = [subject, clientId].map((text) =>
    text.replace(/[%:]/g, encodeURIComponent),
  );
  return `oidc:${quotedSubject}:${quotedClient}`;
}

/** The token types of RFC 9068 §2.1, and that of issuers from before it, who call every JWT so. */
const ACCESS_TOKEN_TYPES = ['at+jwt', 'application/at+jwt'];
const ANY_JWT_TYPES = [undefined, 'jwt', 'application/jwt'];

function refuseOtherTypes(headerType: unknown, claims: JWTPayload): void {
  const type = typeof headerType === 'string' ? headerType.toLowerCase() : headerType;
  if (ACCESS_TOKEN_TYPES.some((accessType) => accessType === type)) return;
  if (!ANY_JWT_TYPES.some((anyType) => anyType === type))
    throw new JwtRefusedError('its typ is not that of an access token');
  if (isIdToken(claims)) throw new JwtRefusedError('it is an ID token');
  // A logout token or another security event (RFC 8417 §2.2).
  if (claims.events !== undefined) throw new JwtRefusedError('it is a security event token');
}

/**
 * Whether claims are those of an ID token, which says who has logged in and isn't meant for an API: a hash
 * of what came with it (OpenID Connect Core 1.0 §3.1.3.6, §3.3.2.11), a nonce without any scopes, or the
 * kind as Cognito (`token_use`) and Keycloak (`typ`) say it.
 */
function isIdToken({ at_hash, c_hash, nonce, scope, scp, token_use, typ }: JWTPayload): boolean {
  if (at_hash !== undefined || c_hash !== undefined) return true;
  if (nonce !== undefined && scope === undefined && scp === undefined) return true;
  return token_use === 'id' || typ === 'ID';
}

function readName(claim: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value === '' || value.length > MAX_NAME_LENGTH)
    throw new JwtRefusedError(`its ${claim} is not a text of 1 to ${MAX_NAME_LENGTH} characters`);
  if (UNFIT.test(value)) throw new JwtRefusedError(`its ${claim} has a control character`);
  return value;
}

/** `scope` is a text with spaces between (RFC 9068 §2.2.3); `scp`, of other issuers, that or a list. */
function readScopes({ scope, scp }: JWTPayload): readonly string[] {
  const granted = scope ?? scp;
  if (typeof granted === 'string') return granted.split(' ').filter((name) => name !== '');
  return Array.isArray(granted) ? granted.filter((name) => typeof name === 'string') : [];
}
