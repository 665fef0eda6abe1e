import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findFreePort } from '../postgres/support/cluster.js';
import { eventually } from '../support/eventually.js';
import { createFolder, run, serviceEnv, startService, type Service } from '../support/service.js';

const COLLECTOR = `${process.env.XDG_CACHE_HOME ?? `${homedir()}/.cache`}/plant-store/otelcol`;
const PARENT = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const WITHIN_MS = 30_000;
/** What the time for the last spans and metrics, and the end of a process, come to. */
const STOP_MS = 6000;
const SECRET = 'hunter2';

interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly links?: readonly { readonly spanId: string }[];
}

let service: Service | undefined;

afterEach(() => service?.kill());

function start(endpoint: string, env: Record<string, string> = {}): Promise<Service> {
  return startService({
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: `Authorization=Bearer%20${SECRET}`,
    OTEL_METRIC_EXPORT_INTERVAL: '500',
    OTEL_BSP_SCHEDULE_DELAY: '200',
    ...env,
  });
}

(existsSync(COLLECTOR) ? describe : describe.skip)('the OpenTelemetry Collector', () => {
  let collector: ChildProcess;
  let endpoint: string;
  let file: string;

  beforeEach(async () => {
    const folder = createFolder();
    const port = await findFreePort();
    endpoint = `http://127.0.0.1:${port}`;
    file = `${folder}/received.jsonl`;
    const pipeline = { receivers: ['otlp'], exporters: ['file'] };
    writeFileSync(
      `${folder}/config.yaml`,
      JSON.stringify({
        receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
        exporters: { file: { path: file, flush_interval: '50ms' } },
        service: {
          telemetry: { metrics: { level: 'none' }, logs: { level: 'error' } },
          pipelines: { traces: pipeline, metrics: pipeline },
        },
      }),
    );
    collector = spawn(COLLECTOR, ['--config', `file:${folder}/config.yaml`], { stdio: 'inherit' });
    await eventually(async () => {
      try {
        return (await fetch(endpoint)).status;
      } catch {
        return undefined;
      }
    }, WITHIN_MS);
  });

  afterEach(() => {
    collector.kill('SIGKILL');
  });

  function received(): string {
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  }

  function spans(): ReceivedSpan[] {
    return received()
      .split('\n')
      .filter((line) => line.startsWith('{"resourceSpans"') && line.endsWith('}'))
      .flatMap((line) => (JSON.parse(line) as { resourceSpans: Scoped[] }).resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  }

  interface Scoped {
    readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[];
  }

  async function create(id: number): Promise<void> {
    const { traceId, spanId } = PARENT;
    const response = await fetch(`${service?.url ?? ''}/plants`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${service?.token ?? ''}`,
        'Content-Type': 'application/json',
        traceparent: `00-${traceId}-${spanId}-01`,
      },
      body: JSON.stringify({ id, name: 'fern' }),
    });
    expect(response.status).toBe(200);
  }

  it('gets a request’s spans in the caller’s trace, and the log has their ids', async () => {
    service = await start(endpoint);

    await create(1);
    const line = await service.logged({ msg: 'request' });

    const all = await eventually(() => {
      const found = spans();
      return found.length >= 3 ? found : undefined;
    }, WITHIN_MS);
    const named = (name: string): ReceivedSpan | undefined => all.find((one) => one.name === name);
    const server = named('POST /plants');
    expect(server).toMatchObject({ traceId: PARENT.traceId, parentSpanId: PARENT.spanId });
    expect(named('createPlant')?.parentSpanId).toBe(server?.spanId);
    expect(named('commit')?.parentSpanId).toBe(named('createPlant')?.spanId);
    expect(line).toMatchObject({ trace_id: PARENT.traceId, span_id: server?.spanId });
  });

  it('gets one span of a commit that serves many requests, with links to and from their spans', async () => {
    service = await start(endpoint);

    await Promise.all(Array.from({ length: 20 }, (_, id) => create(id)));

    const commit = await eventually(
      () => spans().find(({ name, links = [] }) => name === 'commit' && links.length > 0),
      WITHIN_MS,
    );
    const linked = await eventually(() => {
      const ids = commit.links?.map(({ spanId }) => spanId) ?? [];
      const handlers = spans().filter(({ spanId }) => ids.includes(spanId));
      return handlers.length === ids.length ? handlers : undefined;
    }, WITHIN_MS);
    expect(linked.map(({ name }) => name)).toEqual(linked.map(() => 'createPlant'));
    expect(linked.map(({ links }) => links?.[0]?.spanId)).toEqual(linked.map(() => commit.spanId));
  });

  it('gets metrics, of the service that OTEL_SERVICE_NAME names', async () => {
    service = await start(endpoint, {
      OTEL_SERVICE_NAME: 'other-plants',
      OTEL_TRACES_EXPORTER: 'none',
    });

    await create(1);

    const text = await eventually(
      () => (received().includes('"http.server.request.duration"') ? received() : undefined),
      WITHIN_MS,
    );
    expect(text).toContain('"stringValue":"other-plants"');
    expect(text).toContain('"store.commit.duration"');
    expect(text).not.toContain('resourceSpans');
  });

  it('gets at the stop what was still to be sent', async () => {
    service = await start(endpoint, {
      OTEL_METRIC_EXPORT_INTERVAL: '600000',
      OTEL_BSP_SCHEDULE_DELAY: '600000',
    });
    await create(1);

    service.process.kill('SIGTERM');

    expect(await service.exited).toBe(0);
    const text = await eventually(
      () =>
        /resourceSpans[^]*resourceMetrics|resourceMetrics[^]*resourceSpans/.test(received())
          ? received()
          : undefined,
      WITHIN_MS,
    );
    expect(text).toContain('"POST /plants"');
  });
});

describe('a collector that is down', () => {
  it.each(['refuses connections', 'never answers'])(
    'that %s neither slows nor holds up the service',
    async (how) => {
      const silent = createServer();
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
      const { port } = silent.address() as AddressInfo; // it listens on a port
      if (how === 'refuses connections') silent.close();
      service = await start(`http://127.0.0.1:${port}`);

      for (let id = 1n; id <= 50n; id++) {
        const { status } = await service.api.createPlant({ body: { id, name: 'fern' } });
        expect(status).toBe(200);
      }
      if (how === 'refuses connections')
        await service.logged({ msg: 'telemetry is not delivered' });
      const stoppedAt = performance.now();
      service.process.kill('SIGTERM');

      expect(await service.exited).toBe(0);
      expect(performance.now() - stoppedAt).toBeLessThan(STOP_MS);
      expect(JSON.stringify(service.log)).not.toContain(SECRET);
      silent.close();
    },
  );
});

describe('a service that can’t have its telemetry', () => {
  it('says that the port of the metrics is in use, with all else that is wrong', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo; // it listens on a port

    const { code, stderr } = await run('src/main.js', [], {
      ...serviceEnv(createFolder()),
      METRICS_PORT: String(port),
      CORS_ORIGINS: 'https://app.example.com/path',
      OIDC_ISSUER: 'not a URL',
    });

    other.close();
    expect(code).toBe(2);
    expect(stderr).toContain(`METRICS_PORT ${port} is in use already on 127.0.0.1`);
    expect(stderr).toContain('CORS_ORIGINS ');
    expect(stderr).toContain('OIDC_ISSUER ');
  });

  it('starts where that port is in use and OTEL_SDK_DISABLED is true', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo; // it listens on a port
    service = await startService({ METRICS_PORT: String(port), OTEL_SDK_DISABLED: 'true' });

    expect((await fetch(new URL('/healthz', service.url))).status).toBe(200);
    other.close();
  });

  it('says all that is wrong at once, and no secret', async () => {
    const { code, stderr } = await run('src/main.js', [], {
      ...serviceEnv(createFolder()),
      PORT: 'x',
      METRICS_PORT: 'x',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://me:${SECRET}@collector`,
      OTEL_EXPORTER_OTLP_HEADERS: `Authorization: ${SECRET}`,
    });

    expect(code).toBe(2);
    expect(stderr.trim().split('\n')).toHaveLength(4);
    expect(stderr).not.toContain(SECRET);
  });
});
