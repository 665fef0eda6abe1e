import type { IncomingMessage } from 'node:http';
import { context, propagation, SpanKind, trace } from '@opentelemetry/api';
import { emptyResource } from '@opentelemetry/resources';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { activeTrace, RequestTrace } from '../../src/traces/request-trace.js';
import { openTracing, type Tracing } from '../../src/traces/request-tracer.js';

const PARENT = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const OPERATION = { operationId: 'getThing', pathTemplate: '/things/{id}' };

let exporter: InMemorySpanExporter;
let tracing: Tracing;

beforeEach(() => {
  open('parentbased_always_on', 1);
});

function open(tracesSampler: string, tracesSamplerArg: number): void {
  close();
  exporter = new InMemorySpanExporter();
  const config = { tracesSampler, tracesSamplerArg };
  tracing = openTracing(config, emptyResource(), new SimpleSpanProcessor(exporter));
}

afterEach(close);

function close(): void {
  for (const api of [trace, context, propagation]) api.disable();
}

function begin(headers: Record<string, string>, method = 'GET'): RequestTrace {
  const req = { method, url: '/v1/things/7?key=hunter2', headers, httpVersion: '1.1' };
  return new RequestTrace(tracing.requests, req as unknown as IncomingMessage, method); // what it reads
}

function traceparent(flags: '00' | '01'): Record<string, string> {
  const { traceId, spanId } = PARENT;
  return { traceparent: `00-${traceId}-${spanId}-${flags}`, tracestate: 'a=1' };
}

describe('RequestTrace', () => {
  it('is the child of its caller’s span, named by route, with the handler as its child', async () => {
    const request = begin(traceparent('01'));
    request.routed(OPERATION, '/v1');
    await request.handle(() => Promise.resolve(), undefined);
    request.ended(204);

    const [handler, server] = exporter.getFinishedSpans();
    expect(server).toMatchObject({
      name: 'GET /v1/things/{id}',
      kind: SpanKind.SERVER,
      parentSpanContext: { ...PARENT, isRemote: true },
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/v1/things/{id}',
        'contract.operation_id': 'getThing',
        'http.response.status_code': 204,
        'url.path': '/v1/things/7',
      },
    });
    expect(server?.spanContext().traceState?.get('a')).toBe('1');
    expect(handler?.name).toBe('getThing');
    expect(handler?.parentSpanContext?.spanId).toBe(server?.spanContext().spanId);
    expect(JSON.stringify(server?.attributes)).not.toContain('hunter2');
  });

  it('records nothing of a request that its caller doesn’t record, and hands that on', () => {
    const request = begin(traceparent('00'));
    request.routed(OPERATION, '');
    const flags = request.handle(() => trace.getActiveSpan()?.spanContext(), undefined);
    request.ended(200);

    expect(flags).toMatchObject({ traceId: PARENT.traceId, traceFlags: 0 });
    expect(exporter.getFinishedSpans()).toEqual([]);
  });

  it('gives the ids of its trace to what a handler logs', async () => {
    const request = begin({});

    const ids = await request.handle(async () => {
      await Promise.resolve();
      return activeTrace();
    }, undefined);

    expect(ids).toEqual({
      trace_id: request.traceId,
      span_id: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
  });

  it.each([undefined, 503])('is an error where the answer is %s', (status) => {
    begin({}).ended(status);

    expect(exporter.getFinishedSpans()[0]).toMatchObject({
      name: 'GET',
      status: { code: 2 },
      attributes: { 'error.type': status === undefined ? 'client_gone' : '503' },
    });
  });

  it('samples the share that is asked for, by the id of the trace', () => {
    open('traceidratio', 0.5);

    const ids = Array.from({ length: 400 }, () => {
      const request = begin({});
      request.ended(204);
      return request.traceId;
    });

    const recorded = exporter.getFinishedSpans().map((span) => span.spanContext().traceId);
    expect(recorded.length).toBeGreaterThan(120);
    expect(recorded.length).toBeLessThan(280);
    expect(ids.filter((id) => recorded.includes(id))).toEqual(recorded);
  });

  it.each([
    ['always_on', '00', 1],
    ['always_off', '01', 0],
    ['parentbased_always_off', '01', 1],
    ['parentbased_traceidratio', '00', 0],
  ] as const)('with %s, and a caller whose flags are %s, records %i', (sampler, flags, count) => {
    open(sampler, 1);

    begin(traceparent(flags)).ended(204);

    expect(exporter.getFinishedSpans()).toHaveLength(count);
  });

  it('begins a trace of its own where the traceparent is malformed', () => {
    const request = begin({ traceparent: '00-0-0-01' });

    expect(request.traceId).toMatch(/^[0-9a-f]{32}$/);
  });
});
