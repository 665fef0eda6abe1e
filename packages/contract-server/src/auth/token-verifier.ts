import { statSync } from 'node:fs';
import { digest, readTokens, TokenFileError, type TokenRecord } from './token-file.js';

/** Who makes a request. */
export interface Principal {
  /**
   * For the log and for what is stored; no secret. The name of a token in the file, or
   * `oidc:SUBJECT:CLIENT` of a JWT, which no token in the file can be called.
   */
  readonly name: string;
  /** What the token may be used for; an operation that asks for more is refused with 403. */
  readonly scopes: readonly string[];
  /** Of a JWT alone: whom its issuer gave it to. */
  readonly jwt?: JwtIdentity;
}

/** What an issuer says of the one who makes a request. */
export interface JwtIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** The client that the token was given to; undefined where the issuer doesn't say. */
  readonly clientId: string | undefined;
}

/** Finds out whose token it is; undefined where it is unknown, expired or revoked. */
export type VerifyToken = (token: string) => Principal | undefined;

/** How long a change of the file, such as a revocation, may go unnoticed. */
const RECHECK_MS = 1000;

export interface Clock {
  /** Milliseconds since 1970. It may be set, so no duration is measured by it. */
  readonly now: () => number;
  /** Milliseconds that only ever go up. */
  readonly elapsed: () => number;
}

export const SYSTEM_CLOCK: Clock = { now: Date.now, elapsed: () => performance.now() };

/** What one version of the file says: tokens by their digests, or that it can't be understood. */
type Content = ReadonlyMap<string, TokenRecord> | TokenFileError;

/**
 * Verifies opaque tokens against a tokens file, which is read again when it has changed. Where the
 * file can't be read or understood the verifier throws, and with that refuses.
 */
export function createTokenVerifier(
  path: string,
  { now, elapsed }: Clock = SYSTEM_CLOCK,
): VerifyToken {
  let content: Content = new Map();
  let version: string | undefined;
  let checkedAt = -Infinity;

  function refresh(maxAgeMs: number): void {
    if (elapsed() - checkedAt < maxAgeMs) return;
    const found = versionOf(path);
    if (found !== version) {
      version = undefined;
      content = readContent(path);
      version = found;
    }
    checkedAt = elapsed();
  }

  function find(sha256: string): TokenRecord | undefined {
    if (content instanceof TokenFileError) throw content;
    return content.get(sha256);
  }

  return (token) => {
    refresh(RECHECK_MS);
    // Digests are compared, so the time that takes can reveal a digest at most, and no token can be
    // derived from that.
    const sha256 = digest(token);
    let record = find(sha256);
    if (record === undefined) {
      // The token may have been created since the last check.
      refresh(0);
      record = find(sha256);
    }
    if (record === undefined) return undefined;
    if (record.expiresAt !== null && Date.parse(record.expiresAt) <= now()) return undefined;
    return { name: record.name, scopes: record.scopes };
  };
}

/** Changes whenever the file does. */
function versionOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? 'none' : `${stats.ino}.${stats.size}.${stats.mtimeNs}`;
}

/** A file that can't be understood is read once: a large one takes long, and every request would wait for it. */
function readContent(path: string): Content {
  try {
    return new Map(readTokens(path).map((record) => [record.sha256, record]));
  } catch (error) {
    if (error instanceof TokenFileError) return error;
    throw error;
  }
}
