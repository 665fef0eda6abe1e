import { ConfigError, type Telemetry, type TelemetryStart } from 'contract-server';
import type { TelemetryConfig } from './settings.js';

export { telemetrySettings, type TelemetryConfig } from './settings.js';

/**
 * Opens metrics and traces where METRICS_PORT or OTEL_EXPORTER_OTLP_ENDPOINT is set, and only then loads
 * the SDK.
 * @throws ConfigError where the port of the metrics can't be used, or the SDK isn't installed
 */
export async function openTelemetry(
  start: TelemetryStart<TelemetryConfig>,
): Promise<Telemetry | undefined> {
  const { isTelemetryDisabled, metricsPort, otlpEndpoint } = start.config;
  if (isTelemetryDisabled || (metricsPort === false && otlpEndpoint === false)) return undefined;
  try {
    const { openSdk } = await import('./open-sdk.js');
    return await openSdk(start);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'))
      throw error;
    throw new ConfigError([
      'METRICS_PORT and OTEL_EXPORTER_OTLP_ENDPOINT need packages that are not installed, the optional dependencies of contract-telemetry: install them (npm ci --include=optional)',
    ]);
  }
}
