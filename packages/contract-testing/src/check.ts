import type { ContractCoverage } from './coverage.js';
import type { JsonObject } from './document.js';
import type { Exchange } from './exchange.js';
import {
  judge,
  openContract,
  refuseViolation,
  type JudgedContract,
  type Verdict,
} from './judge.js';
import { recordedCoverage } from './recorded-coverage.js';

export interface CheckOptions {
  /** The path of the contract, in YAML or JSON, or the document as parsed. */
  readonly contract: string | JsonObject;
  /** Where the app has the contract's paths, such as `/v1`. */
  readonly basePath?: string;
  /** Paths that are not part of the contract, and whose answers therefore aren't judged. */
  readonly outside?: readonly string[];
  /**
   * `send`: errors that the contract doesn't declare may be answered, as by a service with
   * `undeclaredErrors: 'send'` or `asPublished`. Declared ones are judged. `refuse` where it is left out.
   */
  readonly undeclaredErrors?: 'refuse' | 'send';
  /**
   * Counts what was seen. Without it, a contract that is given by its path is counted for the reporter,
   * over all test files, and one that is given as parsed is not.
   */
  readonly coverage?: ContractCoverage;
}

/**
 * Judges an exchange, and counts it.
 * @throws ContractViolation where the contract is broken
 */
export type Check = (exchange: Exchange) => Verdict;

/** Checks as the client of these options does, for exchanges that are made in another way. */
export function createCheck(options: CheckOptions): Check {
  const contract = contractOf(options);
  const { contract: source, outside = [] } = options;
  const coverage =
    options.coverage ?? (typeof source === 'string' ? recordedCoverage(source) : undefined);
  return (exchange) => {
    const verdict = judge(contract, exchange, options);
    const [path = ''] = exchange.target.split('?');
    if (outside.includes(path)) return { ...verdict, problems: [] };
    refuseViolation(exchange, verdict);
    coverage?.record(verdict);
    return verdict;
  };
}

/** The contract that these options are about. */
export function contractOf({ contract }: CheckOptions): JudgedContract {
  return openContract(contract);
}
