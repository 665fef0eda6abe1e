import { Router } from 'express';
import { setResponseHeaders } from '../exchange/exchange-locals.js';

export interface HealthOptions {
  readonly isStopping: () => boolean;
  /** Rejects where the store can't be written. */
  readonly checkWritable: () => Promise<void>;
  /** Called when the check begins to fail, with why, and with nothing when it passes again. */
  readonly onChange?: (failure?: unknown) => void;
  /** Milliseconds that only ever go up. */
  readonly now?: () => number;
}

/** The targets that the router below answers. */
export const HEALTH_TARGETS = ['/healthz', '/readyz'];
/** The answer of one check serves this long, so that probes can't load the store. */
const READY_FOR_MS = 1000;

/**
 * `GET /healthz`: the process is alive. `GET /readyz`: it can take requests, else 503. Both stand
 * outside the contract, for orchestrators and proxies, and need no token.
 */
export function createHealthRouter({
  isStopping,
  checkWritable,
  onChange = () => undefined,
  now = () => performance.now(),
}: HealthOptions): Router {
  let lastCheck: Promise<boolean> = Promise.resolve(false);
  let checkedAt = -Infinity;
  let hasFailed = false;

  function isWritable(): Promise<boolean> {
    if (now() - checkedAt >= READY_FOR_MS) {
      checkedAt = now();
      lastCheck = check();
    }
    return lastCheck;
  }

  async function check(): Promise<boolean> {
    try {
      await checkWritable();
      if (hasFailed) onChange();
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) onChange(error);
      hasFailed = true;
    }
    return !hasFailed;
  }

  const router = Router({ caseSensitive: true, strict: true });
  router.use(setResponseHeaders);
  router.get('/healthz', (_req, res) => {
    res.json({ status: 'alive' });
  });
  router.get('/readyz', async (_req, res) => {
    if (!isStopping() && (await isWritable())) res.json({ status: 'ready' });
    else res.status(503).set('Retry-After', '1').json({ status: 'not ready' });
  });
  return router;
}
