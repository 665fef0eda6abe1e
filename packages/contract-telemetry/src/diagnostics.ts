import type { DiagLogger } from '@opentelemetry/api';
import type { TelemetryStart } from 'contract-server';

/** At most one line in this time is logged: a collector that is down fails every few seconds. */
const QUIET_MS = 60_000;
const MAX_LENGTH = 500;

/** Logs what the SDK complains of, such as a collector that can't be reached. */
export function createDiagnostics(
  logger: TelemetryStart<unknown>['logger'],
  now: () => number = () => performance.now(),
): DiagLogger {
  let saidAt = -Infinity;
  let unsaid = 0;

  function say(message: string, ...rest: unknown[]): void {
    if (now() - saidAt < QUIET_MS) {
      unsaid++;
      return;
    }
    const problem = [message, ...rest].map(String).join(' ').slice(0, MAX_LENGTH);
    logger.warn({ problem, ...(unsaid > 0 && { unsaid }) }, 'telemetry is not delivered');
    saidAt = now();
    unsaid = 0;
  }

  const ignore = (): void => undefined;
  return { error: say, warn: say, info: ignore, debug: ignore, verbose: ignore };
}
