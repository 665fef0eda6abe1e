import { statSync } from 'node:fs';
import { digest, readTokens, type TokenRecord } from './token-file.js';

/** Who makes a request: the name of the token, which is no secret. */
export interface Principal {
  readonly name: string;
}

/** Finds out whose token it is; undefined where it is unknown, expired or revoked. */
export type VerifyToken = (token: string) => Principal | undefined;

/** How long a change of the file, such as a revocation, may go unnoticed. */
const RECHECK_MS = 1000;

/**
 * Verifies opaque tokens against a tokens file, which is read again when it has changed. Where the
 * file can't be read the verifier throws, and with that refuses.
 * @param now milliseconds since 1970
 */
export function createTokenVerifier(path: string, now: () => number = Date.now): VerifyToken {
  let byDigest = new Map<string, TokenRecord>();
  let version: string | undefined;
  let checkedAt = -Infinity;

  function refresh(maxAgeMs: number): void {
    if (now() - checkedAt < maxAgeMs) return;
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    const found = stats === undefined ? 'none' : `${stats.ino}.${stats.size}.${stats.mtimeNs}`;
    if (found !== version) {
      version = undefined;
      byDigest = new Map(readTokens(path).map((record) => [record.sha256, record]));
      version = found;
    }
    checkedAt = now();
  }

  return (token) => {
    refresh(RECHECK_MS);
    // What is compared are digests. How long that takes may tell something of a digest, and from a
    // digest follows no token that has it.
    const sha256 = digest(token);
    let record = byDigest.get(sha256);
    if (record === undefined) {
      // It may just have been made.
      refresh(0);
      record = byDigest.get(sha256);
    }
    if (record === undefined) return undefined;
    if (record.expiresAt !== null && Date.parse(record.expiresAt) <= now()) return undefined;
    return { name: record.name };
  };
}
