import { describe, expect, it } from '@jest/globals';
import { ConfigError, readSettings } from 'contract-server';
import { telemetrySettings, type TelemetryConfig } from '../src/index.js';

function read(env: Record<string, string>): TelemetryConfig {
  return readSettings(telemetrySettings('things'), env);
}

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    read(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('telemetrySettings', () => {
  it('has telemetry off, and the name of the service', () => {
    expect(read({})).toMatchObject({
      metricsPort: false,
      otlpEndpoint: false,
      serviceName: 'things',
    });
  });

  it('takes what OpenTelemetry names', () => {
    const config = read({
      METRICS_PORT: '9464',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example:4318/base',
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20secret,X-Scope=a',
      OTEL_SERVICE_NAME: 'other',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging,a=%2C',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.01',
      OTEL_METRICS_EXPORTER: 'none',
    });

    expect(config).toMatchObject({
      metricsPort: 9464,
      otlpEndpoint: new URL('https://collector.example:4318/base'),
      hasOtlpHeaders: true,
      serviceName: 'other',
      tracesSampler: 'traceidratio',
      tracesSamplerArg: 0.01,
      metricsExporter: 'none',
    });
  });

  it.each([
    ['METRICS_PORT', '65536', 'must be empty, or a whole number from 0 to 65535; it is "65536"'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318', 'must be an http or https URL'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://c:4318/?key=1', 'must be an http or https URL'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://me:pw@c:4318', 'must have no user and no password'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'Bearer abc', 'must be name=value with commas between'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%zz', 'must be name=value with commas between'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'must be http/protobuf'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'team', 'must be key=value with commas between'],
    ['OTEL_SDK_DISABLED', 'yes', 'must be true or false; it is "yes"'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote', 'must be one of always_on, always_off'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5', 'must be a number from 0 to 1; it is "1.5"'],
    ['OTEL_TRACES_EXPORTER', 'zipkin', 'must be otlp or none; it is "zipkin"'],
    ['OTEL_METRIC_EXPORT_INTERVAL', '0', 'must be a whole number from 100 to 3600000'],
  ])('refuses %s=%s', (variable, text, problem) => {
    expect(problemsOf({ [variable]: text })).toEqual([
      expect.stringContaining(`${variable} ${problem}`),
    ]);
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_HEADERS', 'Authorization: hunter2'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://me:hunter2@collector'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector?key=hunter2'],
  ])('quotes no secret of %s', (variable, text) => {
    expect(problemsOf({ [variable]: text }).join()).not.toContain('hunter2');
  });
});
