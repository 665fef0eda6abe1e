import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import { ApiError, EngineCode } from '../exchange/api-error.js';
import { discoverKeySet, FETCH_TIMEOUT_MS, fetchBounded } from './provider-document.js';
import type { Clock } from './token-verifier.js';

/** A log, as pino makes one: it gets why a JWT was refused, and what becomes of the provider's keys. */
export interface AuthLogger {
  debug(members: object, message: string): void;
  info(members: object, message: string): void;
  warn(members: object, message: string): void;
}

/** Keys that are older are fetched again beside the requests, so that a withdrawn one is noticed. */
const REFRESH_MS = 300_000;
/** How long the provider is left alone after it was asked, whatever tokens come meanwhile. */
const COOLDOWN_MS = 10_000;
/** So many requests may wait for a fetch; a flood of unknown keys must not hold every place there is. */
const MAX_WAITING = 100;

/** The keys of a provider, which may be down. */
export interface ProviderKeys {
  /**
   * Finds the key of a JWT's header.
   * @throws JWKSNoMatchingKey where the provider hasn't got it; ApiError 503 where it can't be asked
   */
  readonly find: JWTVerifyGetKey;
  /** Has old keys fetched again, in the background. They are used until there are others. */
  refreshOld(): void;
}

/**
 * Keeps the keys of a provider. They are fetched when they are old, and when a token names a key that
 * isn't among them, but never within {@link COOLDOWN_MS} of the last time.
 */
export function createProviderKeys(
  issuer: string,
  { logger, clock }: { readonly logger: AuthLogger; readonly clock: Clock },
): ProviderKeys {
  let keySet: JWTVerifyGetKey | undefined;
  let askedAt = -Infinity;
  /** Why the last fetch failed; undefined where it didn't. */
  let failure: string | undefined;
  let pending: Promise<void> | undefined;
  let waiting = 0;

  async function load(): Promise<void> {
    try {
      const found = createRemoteJWKSet(await discoverKeySet(issuer), {
        [customFetch]: fetchBounded,
        timeoutDuration: FETCH_TIMEOUT_MS,
        // Jose would ask whenever a key is unknown while the provider is down, and drop old keys then.
        cacheMaxAge: Infinity,
        cooldownDuration: Infinity,
      });
      await found.reload();
      if (keySet === undefined || failure !== undefined)
        logger.info({ issuer, keys: found.jwks()?.keys.length }, 'has the keys of the issuer');
      keySet = found;
      failure = undefined;
    } catch (error) {
      const reason = reasonOf(error);
      if (reason !== failure) logger.warn({ issuer, reason }, 'cannot have the keys of the issuer');
      failure = reason;
    } finally {
      askedAt = clock.elapsed();
      pending = undefined;
    }
  }

  function ask(): Promise<void> {
    pending ??= load();
    return pending;
  }

  const isCoolingDown = (): boolean => clock.elapsed() - askedAt < COOLDOWN_MS;

  /** @throws ApiError 503 where the provider can't be asked */
  async function fetchUnknown(): Promise<void> {
    if (pending === undefined && isCoolingDown()) {
      if (failure !== undefined) throw unavailable(askedAt + COOLDOWN_MS - clock.elapsed());
      return;
    }
    if (waiting >= MAX_WAITING) throw unavailable(FETCH_TIMEOUT_MS);
    waiting++;
    try {
      await ask();
    } finally {
      waiting--;
    }
    if (failure !== undefined) throw unavailable(COOLDOWN_MS);
  }

  return {
    refreshOld() {
      const isOld = keySet === undefined || clock.elapsed() - askedAt >= REFRESH_MS;
      if ((isOld || failure !== undefined) && !isCoolingDown()) void ask();
    },

    async find(header, token) {
      try {
        if (keySet !== undefined) return await keySet(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      }
      await fetchUnknown();
      // Where the provider was asked just now and has no such key, that is the end of it.
      if (keySet === undefined) throw new errors.JWKSNoMatchingKey();
      return keySet(header, token);
    },
  };
}

function unavailable(waitMs: number): ApiError {
  return new ApiError(
    EngineCode.keysUnavailable,
    'the issuer of this token cannot be asked for its keys now; nothing was changed',
    { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
  );
}

/** `fetch` says in the cause alone what has failed, and of several addresses in the code alone. */
function reasonOf(error: unknown): string {
  const { code, cause } = Object(error) as { readonly code?: unknown; readonly cause?: unknown };
  const text = typeof code === 'string' ? `${String(error)} (${code})` : String(error);
  return cause === undefined ? text : `${text}: ${reasonOf(cause)}`;
}
