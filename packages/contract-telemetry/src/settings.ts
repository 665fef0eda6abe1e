import {
  SettingError,
  wholeNumber,
  type Environment,
  type Setting,
  type Settings,
} from 'contract-server';
import { findListenProblem } from './metrics/listen.js';

/**
 * What a service with telemetry takes from its environment beside its other settings. The names that
 * begin with OTEL_ are OpenTelemetry's own; the SDK reads further ones, all of them optional.
 */
export interface TelemetryConfig {
  /** Where metrics can be scraped, if they can; 0 lets the system pick one. */
  readonly metricsPort: number | false;
  readonly metricsHost: string;
  /** Where metrics and traces are sent, if they are. */
  readonly otlpEndpoint: URL | false;
  /** Whether there are any: their values are secrets, which the SDK reads itself. */
  readonly hasOtlpHeaders: boolean;
  readonly otlpProtocol: 'http/protobuf';
  readonly serviceName: string;
  readonly resourceAttributes: string;
  readonly tracesExporter: Exporter;
  readonly metricsExporter: Exporter;
  readonly tracesSampler: string;
  readonly tracesSamplerArg: number;
  readonly metricExportIntervalMs: number;
  /** Whether there are neither, whatever the others say. */
  readonly isTelemetryDisabled: boolean;
}

export type Exporter = 'otlp' | 'none';

const DEFAULT_HOST = '127.0.0.1';
const PORT = wholeNumber(0, 65_535);
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
];
/** A name (RFC 9110 §5.6.2) and a percent-encoded value (W3C Baggage §3.3.1). */
const HEADER = /^\s*[A-Za-z0-9!#$%&'*+.^_`|~-]+\s*=[^,;=\s][^,;\s]*\s*$/;
const ATTRIBUTE = /^\s*[^\s=,]+\s*=[^=,]*$/;

/** @param serviceName what it is called where OTEL_SERVICE_NAME isn't set */
export function telemetrySettings(serviceName: string): Settings<TelemetryConfig> {
  return {
    metricsPort: {
      variable: 'METRICS_PORT',
      fallback: '',
      meaning:
        'The port that Prometheus scrapes `/metrics` on; `0` picks a free one, none: it can’t.',
      expected: `empty, or ${PORT.expected}`,
      parse: (text, env) => (text === '' ? false : PORT.parse(text, env)),
      check: checkPort,
    },
    metricsHost: {
      variable: 'METRICS_HOST',
      fallback: DEFAULT_HOST,
      meaning: 'The address of that port; `0.0.0.0` for every one.',
      expected: 'a host name or an address',
      parse: (text) => (/^[A-Za-z0-9.:_-]+$/.test(text) ? text : undefined),
    },
    otlpEndpoint: {
      variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
      fallback: '',
      meaning:
        'The collector that metrics and traces are sent to, such as `http://localhost:4318`.',
      expected: 'empty, or a URL',
      parse: (text) => (text === '' ? false : parseEndpoint(text)),
    },
    hasOtlpHeaders: {
      variable: 'OTEL_EXPORTER_OTLP_HEADERS',
      fallback: '',
      meaning: 'Headers for the collector, `name=value` with commas between; values are secrets.',
      expected: 'empty, or headers',
      parse: parseHeaders,
    },
    otlpProtocol: {
      variable: 'OTEL_EXPORTER_OTLP_PROTOCOL',
      fallback: 'http/protobuf',
      meaning: 'How the collector is spoken to; only this one is supported.',
      expected: 'http/protobuf, the only one that is supported',
      parse: (text) => (text === 'http/protobuf' ? text : undefined),
    },
    serviceName: {
      variable: 'OTEL_SERVICE_NAME',
      fallback: serviceName,
      meaning: 'What the service is called in metrics and traces.',
      expected: 'a name',
      parse: (text) => text,
    },
    resourceAttributes: {
      variable: 'OTEL_RESOURCE_ATTRIBUTES',
      fallback: '',
      meaning: 'What else is said of the service, such as `deployment.environment.name=staging,…`.',
      expected: 'key=value with commas between, and = and , in them percent-encoded',
      parse: (text) =>
        text === '' || text.split(',').every((pair) => ATTRIBUTE.test(pair)) ? text : undefined,
    },
    tracesExporter: exporter('OTEL_TRACES_EXPORTER', 'traces'),
    metricsExporter: exporter('OTEL_METRICS_EXPORTER', 'metrics'),
    tracesSampler: {
      variable: 'OTEL_TRACES_SAMPLER',
      fallback: 'parentbased_always_on',
      meaning: `Which requests are traced: ${SAMPLERS.map((name) => `\`${name}\``).join(', ')}.`,
      expected: `one of ${SAMPLERS.join(', ')}`,
      parse: (text) => (SAMPLERS.includes(text) ? text : undefined),
    },
    tracesSamplerArg: {
      variable: 'OTEL_TRACES_SAMPLER_ARG',
      fallback: '1',
      meaning: 'The share that the samplers with `traceidratio` trace, such as `0.01` for 1 %.',
      expected: 'a number from 0 to 1',
      parse: (text) =>
        /^(0|1|[01]?\.\d+)$/.test(text) && Number(text) <= 1 ? Number(text) : undefined,
    },
    metricExportIntervalMs: {
      variable: 'OTEL_METRIC_EXPORT_INTERVAL',
      fallback: '60000',
      meaning: 'How often metrics are sent to the collector, in milliseconds.',
      ...wholeNumber(100, 3_600_000),
    },
    isTelemetryDisabled: {
      variable: 'OTEL_SDK_DISABLED',
      fallback: 'false',
      meaning: 'Whether metrics and traces are off, whatever else is set: `true` or `false`.',
      expected: 'true or false',
      parse: parseFlag,
    },
  };
}

async function checkPort(text: string, env: Environment): Promise<string | undefined> {
  const port = PORT.parse(text, env);
  if (port === undefined || parseFlag(env.OTEL_SDK_DISABLED ?? '') === true) return undefined;
  const host = env.METRICS_HOST?.trim() ?? '';
  return findListenProblem(host === '' ? DEFAULT_HOST : host, port);
}

function parseFlag(text: string): boolean | undefined {
  return /^true$/i.test(text) ? true : /^false$/i.test(text) ? false : undefined;
}

function exporter(variable: string, what: string): Setting<Exporter> {
  return {
    variable,
    fallback: 'otlp',
    meaning: `Whether ${what} are sent to the collector: \`otlp\`, or \`none\`.`,
    expected: 'otlp or none',
    parse: (text) => (text === 'otlp' || text === 'none' ? text : undefined),
  };
}

/** @throws SettingError that doesn't quote the text, which may hold a secret */
function parseEndpoint(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new SettingError(
      'must be an http or https URL without a query, such as http://localhost:4318',
    );
  if (url.username !== '' || url.password !== '')
    throw new SettingError(
      'must have no user and no password; put credentials into OTEL_EXPORTER_OTLP_HEADERS',
    );
  return url;
}

/** @throws SettingError that doesn't quote the text, which holds secrets */
function parseHeaders(text: string): boolean {
  if (text === '') return false;
  if (text.split(',').every((header) => HEADER.test(header) && isDecodable(header))) return true;
  throw new SettingError(
    'must be name=value with commas between, with spaces, commas and semicolons in a value percent-encoded',
  );
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
