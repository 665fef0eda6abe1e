import { request as httpRequest } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { listen } from 'contract-testing/generate';
import { ConfigError, createHttpServer, readSettings } from 'contract-server';
import { pino } from 'pino';
import request from 'supertest';
import { openTelemetry, telemetrySettings } from '../src/index.js';
import { serveThings, type Served } from './support/served.js';

const DURATION = 'http_server_request_duration_seconds';

function start(env: Record<string, string>): Parameters<typeof openTelemetry>[0] {
  const config = readSettings(telemetrySettings('things'), env);
  return { config, logger: pino({ enabled: false }), droppedLines: () => 0 };
}

it('is not opened where OTEL_SDK_DISABLED says so', async () => {
  const env = { METRICS_PORT: '0', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

  expect(await openTelemetry(start({ ...env, OTEL_SDK_DISABLED: 'TRUE' }))).toBeUndefined();
});

describe('a service with metrics', () => {
  let served: Served;
  let answer: () => unknown;

  beforeEach(async () => {
    answer = () => ({ status: 204 });
    served = await serveThings(() => answer());
  });

  afterEach(() => served.telemetry.close());

  it('counts how long requests took, by method, route and status', async () => {
    await request(served.app).get('/v1/things/1').expect(204);
    await request(served.app).get('/v1/things/2').expect(204);

    const labels =
      'http_request_method="GET",url_scheme="http",http_route="/v1/things/{id}",http_response_status_code="204"';
    expect(await served.scrape(`${DURATION}_count`)).toEqual([`${DURATION}_count{${labels}} 2`]);
    expect(await served.scrape(`${DURATION}_bucket`)).toEqual(
      expect.arrayContaining([`${DURATION}_bucket{${labels},le="+Inf"} 2`]),
    );
  });

  it('names the status as the error of a 5xx', async () => {
    answer = () => {
      throw new Error('a bug');
    };

    await request(served.app).get('/v1/things/1').expect(500);

    expect((await served.scrape(`${DURATION}_count`)).join()).toContain('error_type="500"');
  });

  it('counts refusals by operation and error code', async () => {
    await request(served.app).get('/v1/things/x').expect(400);
    await request(served.app).get('/elsewhere').expect(404);
    served.telemetry.observer.refusedConnection(43101);

    expect(await served.scrape('contract_server_refusals_total')).toEqual([
      'contract_server_refusals_total{contract_operation_id="getThing",contract_error_code="40002"} 1',
      'contract_server_refusals_total{contract_error_code="40401"} 1',
      'contract_server_refusals_total{contract_error_code="43101"} 1',
    ]);
  });

  it('counts contract faults, from zero, apart from other errors', async () => {
    const before = await served.scrape('contract_server_faults_total');
    answer = () => ({ status: 299 });

    await request(served.app).get('/v1/things/1').expect(500);

    const faults = (kind: string, count: number): string =>
      `contract_server_faults_total{contract_operation_id="getThing",contract_fault_kind="${kind}"} ${count}`;
    expect(before).toEqual([faults('response', 0), faults('error', 0)]);
    expect(await served.scrape('contract_server_faults_total')).toEqual([
      faults('response', 1),
      faults('error', 0),
    ]);
  });

  it('counts the requests that are being served', async () => {
    let release: (() => void) | undefined;
    const isHandling = new Promise<void>((resolve) => {
      answer = () => {
        resolve();
        return new Promise((done) => {
          release = () => {
            done({ status: 204 });
          };
        });
      };
    });
    const response = request(served.app).get('/v1/things/1').then();
    await isHandling;

    const active = await served.scrape('http_server_active_requests{http_request_method="GET"');
    release?.();
    await response;

    expect(active).toEqual([expect.stringMatching(/ 1$/)]);
    expect(await served.scrape('http_server_active_requests{http_request_method="GET"')).toEqual([
      expect.stringMatching(/ 0$/),
    ]);
  });

  it('counts what was shed, and lines that the log has lost', async () => {
    served.telemetry.observer.shed(7);

    expect(await served.scrape('contract_server_shed_requests_total')).toEqual([
      'contract_server_shed_requests_total 7',
    ]);
    expect(await served.scrape('contract_server_dropped_log_lines_total')).toEqual([
      'contract_server_dropped_log_lines_total 3',
    ]);
  });

  it('has as many series whatever methods and paths an attacker thinks of', async () => {
    const server = createHttpServer(served.app, {
      requestTimeoutMs: 1000,
      errorBody: () => ({}),
      onRefused: () => undefined,
    });
    const listening = await listen(server);
    const { port } = server.address() as AddressInfo; // it listens on a port
    const send = (method: string, path: string): Promise<void> =>
      new Promise((resolve, reject) => {
        httpRequest({ port, method, path, agent: false }, (res) =>
          res.resume().once('end', resolve),
        )
          .once('error', reject)
          .end();
      });
    const methods = ['GET', 'PROPFIND', 'MKCOL', 'M-SEARCH', 'PURGE', 'REPORT', 'LOCK', 'BIND'];

    for (let count = 0; count < 200; count++)
      await send(methods[count % methods.length] ?? '', `/v1/${count}/things/${Math.random()}`);
    for (let count = 0; count < 50; count++) await send('GET', `/v1/things/${count}`);

    const series = await served.scrape(`${DURATION}_count`);
    await listening.close();
    expect(series.map((line) => line.replace(/ \d+$/, ''))).toEqual([
      `${DURATION}_count{http_request_method="GET",url_scheme="http",http_response_status_code="404"}`,
      `${DURATION}_count{http_request_method="_OTHER",url_scheme="http",http_response_status_code="404"}`,
      `${DURATION}_count{http_request_method="GET",url_scheme="http",http_route="/v1/things/{id}",http_response_status_code="204"}`,
    ]);
  });

  it('answers nothing but GET /metrics on their address', async () => {
    const statuses = await Promise.all([
      fetch(served.metricsUrl, { method: 'HEAD' }),
      fetch(served.metricsUrl, { method: 'POST' }),
      fetch(new URL('/', served.metricsUrl)),
    ]);

    expect(statuses.map(({ status }) => status)).toEqual([200, 405, 404]);
  });
});

describe('openTelemetry', () => {
  it('opens nothing where neither a port nor a collector is set', async () => {
    expect(await openTelemetry(start({ OTEL_SERVICE_NAME: 'things' }))).toBeUndefined();
  });

  it('refuses a port that is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo; // it listens on a port

    const opening = openTelemetry(start({ METRICS_PORT: String(port) }));

    await expect(opening).rejects.toThrow(ConfigError);
    await expect(opening).rejects.toThrow(
      `METRICS_PORT ${port} is in use already on 127.0.0.1; name a free one, or 0`,
    );
    other.close();
  });

  it('refuses an address of another machine', async () => {
    const opening = openTelemetry(start({ METRICS_PORT: '0', METRICS_HOST: '192.0.2.1' }));

    await expect(opening).rejects.toThrow('METRICS_HOST 192.0.2.1 is no address of this machine');
  });
});
