import type { Attributes, Counter, Meter } from '@opentelemetry/api';
import type { FaultKind, ObservedOperation } from 'contract-server';

/** Those that the semantic conventions know (RFC 9110 §9, RFC 5789); every other one is `_OTHER`. */
const KNOWN_METHODS = [
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'TRACE',
];
const OTHER_METHOD = '_OTHER';
/** The SDK keeps 2,000 series of one counter. */
const MAX_AT_ZERO = 500;

/** The requests of one method that are being served. */
export interface Active {
  readonly method: string;
  requests: number;
}

/** What is counted of requests beside how long they take. */
export class RequestMetrics {
  readonly #active: ReadonlyMap<string, Active>;
  readonly #other: Active = { method: OTHER_METHOD, requests: 0 };
  readonly #refusals: Counter;
  readonly #faults: Counter;
  readonly #shed: Counter;

  constructor(meter: Meter, droppedLines: () => number) {
    this.#active = new Map(KNOWN_METHODS.map((method) => [method, { method, requests: 0 }]));
    this.#refusals = meter.createCounter('contract.server.refusals', {
      description: 'Requests that were answered with an error, by its code.',
      unit: '{request}',
    });
    this.#faults = meter.createCounter('contract.server.faults', {
      description: 'Responses that broke the contract, and errors that nobody foresaw.',
      unit: '{fault}',
    });
    this.#shed = meter.createCounter('contract.server.shed_requests', {
      description: 'Requests that were refused before anything looked at them, under overload.',
      unit: '{request}',
    });
    meter
      .createObservableUpDownCounter('http.server.active_requests', {
        description: 'Requests that are being served.',
        unit: '{request}',
      })
      .addCallback((result) => {
        for (const { method, requests } of [...this.#active.values(), this.#other])
          result.observe(requests, { 'http.request.method': method, 'url.scheme': 'http' });
      });
    meter
      .createObservableCounter('contract.server.dropped_log_lines', {
        description: 'Lines of the log that could not be written.',
        unit: '{line}',
      })
      .addCallback((result) => {
        result.observe(droppedLines());
      });
    this.#shed.add(0);
  }

  /** Counts from zero, so that the first fault of an operation is an increase, too. */
  serves(operations: readonly ObservedOperation[]): void {
    for (const { operationId } of operations.slice(0, MAX_AT_ZERO)) {
      for (const kind of ['response', 'error'] as const) this.#count(operationId, kind, 0);
    }
  }

  activeOf(method: string): Active {
    return this.#active.get(method) ?? this.#other;
  }

  /** @param operationId undefined where the request reached no operation */
  refused(operationId: string | undefined, code: number): void {
    this.#refusals.add(1, { ...operationOf(operationId), 'contract.error_code': String(code) });
  }

  faulted(operationId: string | undefined, kind: FaultKind): void {
    this.#count(operationId, kind, 1);
  }

  #count(operationId: string | undefined, kind: FaultKind, faults: number): void {
    this.#faults.add(faults, { ...operationOf(operationId), 'contract.fault_kind': kind });
  }

  shed(requests: number): void {
    this.#shed.add(requests);
  }
}

function operationOf(operationId: string | undefined): Attributes {
  return operationId === undefined ? {} : { 'contract.operation_id': operationId };
}
