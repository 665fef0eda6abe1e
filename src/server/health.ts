import { Router } from 'express';

export interface HealthOptions {
  /** Rejects where the service can't do its work. */
  readonly checkReady: () => Promise<void>;
  readonly now?: () => number;
}

/** The answer of one check serves this long, so that probes can't load the store. */
const READY_FOR_MS = 1000;

/**
 * `GET /healthz`: the process is alive. `GET /readyz`: it can take requests, else 503. Both stand
 * outside the contract, for orchestrators and proxies, and need no token.
 */
export function createHealthRouter({ checkReady, now = Date.now }: HealthOptions): Router {
  let lastCheck: Promise<boolean> = Promise.resolve(false);
  let checkedAt = -Infinity;

  function isReady(): Promise<boolean> {
    if (now() - checkedAt >= READY_FOR_MS) {
      checkedAt = now();
      lastCheck = checkReady().then(
        () => true,
        () => false,
      );
    }
    return lastCheck;
  }

  const router = Router({ caseSensitive: true, strict: true });
  router.get('/healthz', (_req, res) => {
    res.json({ status: 'alive' });
  });
  router.get('/readyz', async (_req, res) => {
    if (await isReady()) res.json({ status: 'ready' });
    else res.status(503).set('Retry-After', '1').json({ status: 'not ready' });
  });
  return router;
}
