import fc from 'fast-check';
import type { Case } from './case.js';
import type { Client } from './client.js';
import { exchangeOf, type Judge } from './judge.js';
import { toCurl, type TestResponse } from './request.js';

/** Set for a run with other numbers, or for the one that a failure tells of. */
const RUNS = process.env.FUZZ_RUNS;
const SEED = Number(process.env.FUZZ_SEED ?? 20_240_229);
const PATH = process.env.FUZZ_PATH;

/** As many runs as are asked for, or else this many. */
export const runsOr = (runs: number): number => (RUNS === undefined ? runs : Number(RUNS));

/** How many requests are under way at once. */
const LANES = 16;

export interface Target {
  /** How many cases there are of each kind for each operation. */
  readonly runs: number;
  readonly client: Client;
  readonly judge: Judge;
  /** By security scheme; a curl has variables of these names instead. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Says what is wrong with an answer beyond what the contract can say. */
  readonly expect?: (sent: Case) => Expectation;
}

export interface Expectation {
  /** Instead of the case's own; asked once the answer is there. */
  readonly statuses?: () => readonly number[];
  readonly problemsOf?: (response: TestResponse) => string[];
  readonly label?: string;
}

/**
 * Sends the cases and holds every answer against what it should be. One failure is shrunk, and told
 * with the seed and path that find it again and a curl that reproduces it.
 * @returns in how many cases each thing was broken
 */
export async function check(
  name: string,
  cases: fc.Arbitrary<Case>,
  target: Target,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const problemsOf = createVerdict(target);
  const property = fc.asyncProperty(cases, async (sent) => {
    counts.set(sent.broken, (counts.get(sent.broken) ?? 0) + 1);
    const problems = await problemsOf(sent);
    if (problems.length > 0) throw new Error(problems.join('\n  '));
  });
  // Each lane is a sequence of its own, with a seed of its own.
  const lanes =
    PATH === undefined ? Array.from({ length: LANES }, (_, lane) => SEED + lane) : [SEED];
  const numRuns = Math.ceil(target.runs / LANES);
  const runs = await Promise.all(
    lanes.map((seed) =>
      fc.check(property, { seed, numRuns, ...(PATH !== undefined && { path: PATH }) }),
    ),
  );
  const failure = runs.find(({ failed }) => failed);
  if (failure !== undefined) throw new Error(describe(name, failure, target.secrets));
  return counts;
}

/** Sends one case; what is wrong with the answer, empty where nothing is. */
export function createVerdict({
  client,
  judge,
  expect,
}: Omit<Target, 'runs'>): (sent: Case) => Promise<string[]> {
  return async (sent) => {
    const expectation = expect?.(sent) ?? {};
    const response = await client.send(sent.request, expectation.label);
    const statuses = expectation.statuses?.() ?? sent.statuses;
    const problems = judge(exchangeOf(sent.request, response));
    if (!statuses.includes(response.status)) {
      const wanted = statuses.length > 5 ? 'another' : statuses.join(' or ');
      problems.push(
        `answered ${response.status} instead of ${wanted}: ${response.text.slice(0, 500)}`,
      );
    }
    const allowed = (response.headers.allow ?? '').split(', ').sort().join(', ');
    if (sent.allow !== undefined && allowed !== [...sent.allow].sort().join(', ')) {
      problems.push(`Allow is "${allowed}" instead of "${sent.allow.join(', ')}"`);
    }
    return [...problems, ...(expectation.problemsOf?.(response) ?? [])];
  };
}

function describe(
  name: string,
  { seed, counterexamplePath, counterexample, errorInstance }: fc.RunDetails<[Case]>,
  secrets: Readonly<Record<string, string>> = {},
): string {
  const [found] = counterexample ?? [];
  const reason = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  if (found === undefined) return `${name}: ${reason}`;
  const withoutSecrets = (all: string): string =>
    Object.entries(secrets).reduce(
      (text, [scheme, secret]) => text.replaceAll(secret, `'"$${scheme}"'`),
      all,
    );
  return [
    `${name}, broken: ${found.broken}`,
    `  ${withoutSecrets(reason)}`,
    `  ${withoutSecrets(toCurl(found.request))}`,
    `  again: FUZZ_SEED=${seed} FUZZ_PATH=${counterexamplePath ?? ''} npm test -- -t '${name}'`,
  ].join('\n');
}
