import { writeJson } from './exact-json.js';

/** A request and its answer as they were on the wire. */
export interface Exchange {
  readonly method: string;
  /** The request target: path and query. Empty where the request never became one. */
  readonly target: string;
  /** By lower-case name. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** Empty where there was none, undefined where it isn't known. */
  readonly requestBody: string | undefined;
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Something in an exchange that isn't what the contract says. */
export interface Problem {
  /** `/status`, `/headers/…` or `/body…`, and in a request `/path/…` and `/query/…` as well. */
  readonly pointer: string;
  readonly expected: string;
  readonly received: unknown;
}

const MAX_SHOWN = 200;

/** An answer broke the contract, or a request that the contract refuses was accepted. */
export class ContractViolation extends Error {
  override readonly name = 'ContractViolation';

  constructor(
    readonly operationId: string,
    readonly exchange: Exchange,
    readonly problems: readonly Problem[],
  ) {
    const { method, target, status } = exchange;
    super(
      [
        `${operationId}: ${method} ${target} was answered ${status}, which is not what the contract says`,
        ...problems.map(
          ({ pointer, expected, received }) =>
            `  ${pointer}\n    expected: ${expected}\n    received: ${shown(received)}`,
        ),
      ].join('\n'),
    );
  }
}

function shown(value: unknown): string {
  const text = writeJson(value) ?? 'nothing';
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)} …` : text;
}
