import type { Clock, Principal } from './token-verifier.js';

/** How long a token is taken without another look at its key, which may have been withdrawn. */
const MAX_AGE_MS = 60_000;

interface Entry {
  readonly principal: Principal;
  readonly expiresAtMs: number;
  readonly keptAt: number;
}

/** The principals of tokens that were verified a short time ago, by the tokens' digests. */
export interface VerifiedTokens {
  /** Undefined where the token has to be verified. */
  find(sha256: string): Principal | undefined;
  keep(sha256: string, principal: Principal, expiresAtMs: number): void;
}

/** Keeps so many at most, the newest ones, each until it expires and for a minute at most. */
export function createVerifiedTokens(maxTokens: number, { now, elapsed }: Clock): VerifiedTokens {
  const entries = new Map<string, Entry>();
  return {
    find(sha256) {
      const entry = entries.get(sha256);
      if (entry === undefined) return undefined;
      const { principal, expiresAtMs, keptAt } = entry;
      if (now() < expiresAtMs && elapsed() - keptAt < MAX_AGE_MS) return principal;
      entries.delete(sha256);
      return undefined;
    },
    keep(sha256, principal, expiresAtMs) {
      // A map has its entries in the order in which they came.
      entries.delete(sha256);
      entries.set(sha256, { principal, expiresAtMs, keptAt: elapsed() });
      const [oldest] = entries.keys();
      if (entries.size > maxTokens && oldest !== undefined) entries.delete(oldest);
    },
  };
}
