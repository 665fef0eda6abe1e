import { hostname } from 'node:os';
import { context, diag, DiagLogLevel, metrics, propagation, trace } from '@opentelemetry/api';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
  type Resource,
} from '@opentelemetry/resources';
import {
  MeterProvider,
  PeriodicExportingMetricReader,
  type IMetricReader,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { Telemetry, TelemetryStart } from 'contract-server';
import { createDiagnostics } from './diagnostics.js';
import { Durations } from './metrics/durations.js';
import { measureProcess } from './metrics/process-metrics.js';
import { SCOPE } from './metrics/scope.js';
import { openScrapeServer } from './metrics/scrape-server.js';
import { createObserver } from './observed-request.js';
import type { TelemetryConfig } from './settings.js';
import { activeTrace } from './traces/request-trace.js';

/** How long the last metrics and spans may take to be sent when the service stops. */
const FLUSH_MS = 2000;

/**
 * Makes the SDK the one that `@opentelemetry/api` uses in this process.
 * @throws ConfigError where the port of the metrics can't be used
 */
export async function openSdk({
  config,
  logger,
  droppedLines,
}: TelemetryStart<TelemetryConfig>): Promise<Telemetry> {
  const { metricsPort, metricsHost, otlpEndpoint, tracesExporter, metricsExporter } = config;
  const durations = new Durations();
  const scrapes =
    metricsPort === false ? undefined : await openScrapeServer(metricsHost, metricsPort, durations);
  diag.setLogger(createDiagnostics(logger), { logLevel: DiagLogLevel.WARN });
  const resource = resourceOf(config);

  const readers: IMetricReader[] = scrapes === undefined ? [] : [scrapes.reader];
  if (otlpEndpoint !== false && metricsExporter === 'otlp') {
    readers.push(await createMetricSender(config.metricExportIntervalMs, durations));
  }
  const meterProvider = new MeterProvider({ resource, readers });
  metrics.setGlobalMeterProvider(meterProvider);
  const meter = meterProvider.getMeter(SCOPE.name, SCOPE.version);
  const stopMeasuring = measureProcess(meter);

  const isTracing = otlpEndpoint !== false && tracesExporter === 'otlp';
  const { openTracing } = isTracing ? await import('./traces/request-tracer.js') : {};
  const tracing = openTracing?.(config, resource);
  if (scrapes !== undefined) logger.info({ metricsUrl: scrapes.url }, 'serving metrics');

  return {
    observer: createObserver({ meter, durations, tracer: tracing?.requests, droppedLines }),
    ...(isTracing && { logMembers: activeTrace }),
    async close() {
      stopMeasuring();
      // Both at once, and whatever becomes of them: a collector that is down must not hold up the stop.
      const flushed = Promise.allSettled([tracing?.shutdown(), meterProvider.shutdown()]);
      let timer;
      const isOver = new Promise((resolve) => (timer = setTimeout(resolve, FLUSH_MS)));
      await Promise.race([flushed, isOver]);
      clearTimeout(timer);
      await scrapes?.close();
      for (const api of [metrics, trace, context, propagation, diag]) api.disable();
    },
  };
}

/** What the environment says goes before what is found out. */
function resourceOf({ serviceName }: TelemetryConfig): Resource {
  return defaultResource()
    .merge(resourceFromAttributes({ 'service.name': serviceName, 'host.name': hostname() }))
    .merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] }));
}

/** Sends metrics to the collector; with which headers, and how, the exporter reads from the environment. */
async function createMetricSender(
  exportIntervalMillis: number,
  producer: MetricProducer,
): Promise<IMetricReader> {
  const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-proto');
  return new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    exportIntervalMillis,
    metricProducers: [producer],
  });
}
