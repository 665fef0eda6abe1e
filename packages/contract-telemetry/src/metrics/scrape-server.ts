import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import type { MetricProducer, ResourceMetrics } from '@opentelemetry/sdk-metrics';
import { listen } from './listen.js';

/** Prometheus' text format, which it also takes without a version. */
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
/** The suffixes of units in names, by OpenTelemetry's "Prometheus and OpenMetrics Compatibility". */
const UNIT_SUFFIXES: Readonly<Record<string, string>> = { s: 'seconds', By: 'bytes', '1': 'ratio' };
/** Serves metrics to Prometheus on an address of its own. */
export interface ScrapeServer {
  /** To be read by a meter provider. */
  readonly reader: PrometheusExporter;
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Listens for `GET /metrics`.
 * @throws ConfigError where the address can't be listened on
 */
export async function openScrapeServer(
  host: string,
  port: number,
  producer: MetricProducer,
): Promise<ScrapeServer> {
  const reader = new PrometheusExporter({ preventServerStart: true, metricProducers: [producer] });
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true);
  const server = createServer((req, res) => {
    if (req.url !== '/metrics') {
      res.writeHead(404).end();
      return;
    }
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.writeHead(405, { Allow: 'GET, HEAD' }).end();
      return;
    }
    reader.collect().then(
      ({ resourceMetrics }) => {
        const text = serializer.serialize(withUnits(resourceMetrics));
        res.writeHead(200, { 'Content-Type': CONTENT_TYPE }).end(text);
      },
      () => res.writeHead(500).end(),
    );
  });
  await listen(server, host, port);
  server.unref();
  const { address, family, port: actual } = server.address() as AddressInfo; // it listens on a port
  return {
    reader,
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

/** With units in the names, as a Collector writes them; the exporter leaves them out. */
function withUnits({ resource, scopeMetrics }: ResourceMetrics): ResourceMetrics {
  return {
    resource,
    scopeMetrics: scopeMetrics.map(({ scope, metrics }) => ({
      scope,
      metrics: metrics.map((metric) => {
        const { descriptor } = metric;
        const suffix = UNIT_SUFFIXES[descriptor.unit];
        if (suffix === undefined) return metric;
        return { ...metric, descriptor: { ...descriptor, name: `${descriptor.name}.${suffix}` } };
      }),
    })),
  };
}
