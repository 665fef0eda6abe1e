export { openTelemetry } from './open-telemetry.js';
export { telemetrySettings, type TelemetryConfig } from './settings.js';
