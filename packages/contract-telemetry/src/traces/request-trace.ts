import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type TextMapGetter,
} from '@opentelemetry/api';
import type { ObservedOperation } from 'contract-server';
import type { RequestTracer } from './request-tracer.js';

/** The part of a target that is told: the beginning of its path. The rest may hold a secret. */
const TOLD_PATH = /^\/[^?#]{0,199}/;

const HEADERS: TextMapGetter<IncomingHttpHeaders> = {
  get: (headers, name) => headers[name],
  keys: (headers) => Object.keys(headers),
};

/** The server span of one request, and the one of its handler. */
export class RequestTrace {
  readonly #tracer: RequestTracer;
  readonly #span: Span;
  readonly #context: Context;
  readonly #method: string;
  #operationId = '';

  /** @param method of those that the semantic conventions know, or `_OTHER` */
  constructor(tracer: RequestTracer, req: IncomingMessage, method: string) {
    const parent = propagation.extract(ROOT_CONTEXT, req.headers, HEADERS);
    this.#tracer = tracer;
    this.#method = method === '_OTHER' ? 'HTTP' : method;
    this.#span = tracer.startSpan(this.#method, parent);
    this.#context = trace.setSpan(parent, this.#span);
    if (!this.#span.isRecording()) return;
    this.#span.setAttributes({
      'http.request.method': method,
      ...(method === '_OTHER' && { 'http.request.method_original': req.method ?? '' }),
      'url.scheme': 'http',
      'url.path': TOLD_PATH.exec(req.url ?? '')?.[0] ?? '',
      'network.protocol.version': req.httpVersion,
    });
  }

  get traceId(): string {
    return this.#span.spanContext().traceId;
  }

  get spanId(): string {
    return this.#span.spanContext().spanId;
  }

  routed({ operationId, pathTemplate }: ObservedOperation, basePath: string): void {
    this.#operationId = operationId;
    if (!this.#span.isRecording()) return;
    const route = basePath + pathTemplate;
    this.#span.updateName(`${this.#method} ${route}`);
    this.#span.setAttributes({ 'http.route': route, 'contract.operation_id': operationId });
  }

  /** What isn't recorded has its context all the same: whom the handler calls must not record it either. */
  handle<Request, Result>(
    handler: (request: Request) => Result | Promise<Result>,
    request: Request,
  ): Result | Promise<Result> {
    if (this.#span.isRecording()) return this.#record(handler, request);
    return context.with(this.#context, handler, undefined, request);
  }

  async #record<Request, Result>(
    handler: (request: Request) => Result | Promise<Result>,
    request: Request,
  ): Promise<Result> {
    const span = this.#tracer.tracer.startSpan(this.#operationId, {}, this.#context);
    try {
      return await context.with(trace.setSpan(this.#context, span), handler, undefined, request);
    } catch (error) {
      if (error instanceof Error) span.setAttribute('error.type', error.name);
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  }

  refused(code: number): void {
    this.#span.setAttribute('contract.error_code', code);
  }

  faulted(kind: string): void {
    this.#span.setAttribute('contract.fault_kind', kind);
  }

  ended(status: number | undefined): void {
    if (!this.#span.isRecording()) return;
    if (status !== undefined) this.#span.setAttribute('http.response.status_code', status);
    if (status === undefined || status >= 500) {
      this.#span.setAttribute('error.type', status === undefined ? 'client_gone' : String(status));
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.#span.end();
  }
}

/** The ids of the span in which a line is logged, for a handler's own lines. */
export function activeTrace(): Record<string, unknown> {
  const active = trace.getActiveSpan()?.spanContext();
  return active === undefined ? {} : { trace_id: active.traceId, span_id: active.spanId };
}
