import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { PeriodicExportingMetricReader, type MetricProducer } from '@opentelemetry/sdk-metrics';

/** Sends metrics to the collector; with which headers, and how, the exporter reads from the environment. */
export function createMetricSender(
  exportIntervalMillis: number,
  producer: MetricProducer,
): PeriodicExportingMetricReader {
  return new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    exportIntervalMillis,
    metricProducers: [producer],
  });
}
