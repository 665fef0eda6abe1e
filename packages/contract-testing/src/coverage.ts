import { listConstraints } from './constraints.js';
import type { JsonObject } from './document.js';
import { openContract, type JudgedContract, type Verdict } from './judge.js';
import { UNMATCHED } from './operations.js';
import type { Finding } from './request-check.js';
import type { Constraint } from './schema-constraints.js';
import type { Applied } from './validator.js';

/** How often what was seen, by a key that names it. */
export interface Counts {
  readonly responses: Record<string, number>;
  readonly accepted: Record<string, number>;
  readonly refused: Record<string, number>;
}

export interface ResponseRow {
  readonly operationId: string;
  /** As declared: a status, `4XX` or `default`. */
  readonly response: string;
  /** Empty where the response has no body. */
  readonly mediaType: string;
  readonly count: number;
}

export interface ConstraintRow {
  readonly operationId: string;
  /** Its JSON Pointer in the contract. */
  readonly constraint: string;
  /** Requests that kept it and succeeded, and requests that broke it and were refused with 4xx. */
  readonly accepted: number;
  readonly refused: number;
}

export interface CoverageReport {
  readonly title: string;
  readonly responses: readonly ResponseRow[];
  readonly constraints: readonly ConstraintRow[];
  /** Of all counts in both tables, how many aren't 0, in per cent. */
  readonly percent: number;
}

/** Refusals that are made before anybody has looked at what a request says. */
const WITHOUT_LOOKING = [401, 403, 405, 406, 408, 413, 429, 431];

/** Refusals of a body, which no request to an operation without one can get. */
const OF_A_BODY = ['408', '413', '415'];

/** Counts which declared responses a test suite has seen, and which constraints it has put to the test. */
export class ContractCoverage {
  readonly #contract: JudgedContract;
  readonly #constraints: ReadonlyMap<string, readonly Constraint[]>;
  readonly counts: Counts = { responses: {}, accepted: {}, refused: {} };

  /** Of a contract, by its path or as parsed. */
  constructor(source: string | JsonObject) {
    const contract = openContract(source);
    this.#contract = contract;
    this.#constraints = new Map(
      contract.operations.map((operation) => [
        operation.operationId,
        listConstraints(contract.root, contract.requestSchemas, operation),
      ]),
    );
  }

  record({ operationId, status, response, request, problems }: Verdict): void {
    if (problems.length > 0) return;
    if (response.declared !== undefined) {
      const { declared, mediaType = '' } = response;
      increase(this.counts.responses, `${operationId} ${declared} ${mediaType}`);
    }
    if (request === undefined) return;
    const isSuccess = status >= 200 && status < 300;
    const isRefusal = status >= 400 && status < 500 && !WITHOUT_LOOKING.includes(status);
    if (!isSuccess && !isRefusal) return;

    const findings = [...request.findings, ...this.#findings(operationId, request.applied)];
    const broken = new Set(keysOf(findings, false));
    const kept = new Set(keysOf(findings, true).filter((key) => !broken.has(key)));
    for (const key of isSuccess ? kept : broken) {
      increase(isSuccess ? this.counts.accepted : this.counts.refused, `${operationId} ${key}`);
    }
  }

  /** Adds what was counted elsewhere, by the same contract. */
  add(counts: Counts): void {
    for (const kind of ['responses', 'accepted', 'refused'] as const) {
      for (const [key, count] of Object.entries(counts[kind])) {
        increase(this.counts[kind], key, count);
      }
    }
  }

  report(): CoverageReport {
    const { operations, root } = this.#contract;
    const responses = operations.flatMap(({ operationId, requestBody, responses }) => {
      const takesNoBody = requestBody === undefined && operationId !== UNMATCHED;
      return [...responses].flatMap(([response, { value }]) => {
        const mediaTypes = Object.keys((value.content as object | undefined) ?? {});
        const rows = (mediaTypes.length === 0 ? [''] : mediaTypes).map((mediaType) => ({
          operationId,
          response,
          mediaType,
          count: this.counts.responses[`${operationId} ${response} ${mediaType}`] ?? 0,
        }));
        return takesNoBody && OF_A_BODY.includes(response)
          ? rows.filter(({ count }) => count > 0)
          : rows;
      });
    });
    const constraints = [...this.#constraints].flatMap(([operationId, list]) =>
      list.map(({ pointer }) => ({
        operationId,
        constraint: pointer,
        accepted: this.counts.accepted[`${operationId} ${pointer}`] ?? 0,
        refused: this.counts.refused[`${operationId} ${pointer}`] ?? 0,
      })),
    );
    const counts = [
      ...responses.map(({ count }) => count),
      ...constraints.flatMap(({ accepted, refused }) => [accepted, refused]),
    ];
    const seen = counts.filter((count) => count > 0).length;
    const { title } = root.info as { title: string }; // required by OpenAPI 3.1 §4.8.2
    return { title, responses, constraints, percent: (100 * seen) / Math.max(1, counts.length) };
  }

  /** Asks each schema that a part of the request was held against, again and by itself. */
  #findings(operationId: string, applied: readonly Applied[]): Finding[] {
    const constraints = this.#constraints.get(operationId) ?? [];
    return applied.flatMap(({ at, part, pointer, numbers, content }) => {
      const own = constraints.filter(
        (constraint) => constraint.at === at && constraint.appliesTo(part),
      );
      if (own.length === 0) return [];
      const options = { below: pointer, content };
      const { problems } = this.#contract.request(at, { value: part, numbers }, options);
      return own.map((constraint) => ({
        constraint: constraint.pointer,
        isKept: !problems.some((problem) => constraint.isBrokenBy(problem)),
      }));
    });
  }
}

function keysOf(findings: readonly Finding[], isKept: boolean): string[] {
  return findings
    .filter((finding) => finding.isKept === isKept)
    .map(({ constraint }) => constraint);
}

function increase(counts: Record<string, number>, key: string, by = 1): void {
  counts[key] = (counts[key] ?? 0) + by;
}
