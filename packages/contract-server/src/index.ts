export { ApiError, EngineCode } from './exchange/api-error.js';
export type { Strategies } from './security/strategy.js';
export { ContractError } from './document/contract-error.js';
export {
  summarizeWarnings,
  type ContractWarning,
  type WarningSummary,
} from './document/contract-warning.js';
export type { ContractDocument } from './document/document.js';
export type {
  HandlerRequest,
  HandlerResult,
  OperationHandler,
  OperationHandlers,
} from './handler.js';
export type { ExchangeLocals } from './exchange/exchange-locals.js';
export type { FormFile } from './message/form/received-form.js';
export { getHeader } from './message/header-lines.js';
export type { FaultKind, Observation, ObservedOperation, Observer } from './exchange/observer.js';
export type { TextFormat, TextFormats } from './document/text-format.js';
export { parseContract, readContract } from './document/read-contract.js';
export { OpenStreams, type OpenStreamsOptions } from './items/open-streams.js';
export type { Fault } from './message/fault.js';
export { serveContract, type ContractMiddleware, type ContractOptions } from './serve.js';
export type { RateLimiter, RateLimitPolicy } from './security/rate-limit.js';
export { createFileHandler } from './server/file-handler.js';
export { createDrain, type Drain } from './server/graceful-stop.js';
export { createHealthRouter, type HealthOptions } from './server/health.js';
export { createHttpServer, type HttpServerOptions } from './server/http-server.js';
export { createLogStream, type LogStream } from './server/log-stream.js';
export { createRequestLog, requestIdOf } from './server/request-log.js';
export { createContractApp, type AppOptions, type DocsOptions } from './service/app.js';
export {
  runService,
  StartError,
  type RunOptions,
  type Service,
  type ServiceStart,
  type Telemetry,
  type TelemetryStart,
} from './service/run.js';
export { SettingError, type Environment, type Setting, type Settings } from './service/setting.js';
export {
  ConfigError,
  readSettings,
  SERVICE_SETTINGS,
  wholeNumber,
  type ServiceConfig,
} from './service/settings.js';
export { STREAM_SETTINGS, type StreamConfig } from './service/stream-settings.js';
