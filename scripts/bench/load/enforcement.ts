import type { Contestant } from '../process/contestants.js';
import { startServer, type Server } from '../process/server.js';

/** What a contestant answered to one right request and to wrong ones: the statuses, by title. */
export type Enforcement = Readonly<Record<string, number>>;

interface Probe {
  readonly title: string;
  readonly body: string;
  /** The status that the contract has for it. */
  readonly right: number;
  readonly token?: string | null;
  readonly query?: string;
}

const PLANT = { id: 11646167, name: 'monkey puzzle', tag: 'araucaria' };
const withId = (id: number | string, name = 'a'): string => `{"id":${id},"name":"${name}"}`;

export const PROBES: readonly Probe[] = [
  { title: 'right', body: JSON.stringify(PLANT), right: 200 },
  { title: 'no token', body: withId(2), token: null, right: 401 },
  { title: 'bad token', body: withId(3), token: 'guessed', right: 401 },
  { title: 'wrong type', body: '{"id":4,"name":7}', right: 400 },
  { title: 'no name', body: '{"id":5,"tag":"araucaria"}', right: 400 },
  { title: 'U+0000', body: '{"id":6,"name":"a\\u0000b"}', right: 400 },
  { title: 'query', body: withId(7), query: '?page=1', right: 400 },
  { title: 'broken JSON', body: '{"id":8,"name":"a"', right: 400 },
  { title: 'beyond int64', body: withId('9223372036854775808'), right: 400 },
  { title: '2^53', body: withId('9007199254740992', 'one'), right: 200 },
  // Who takes this id for the one before finds another plant there.
  { title: '2^53 + 1', body: withId('9007199254740993', 'another'), right: 200 },
];
const TIMEOUT_MS = 5000;

/**
 * Finds out what a contestant checks at all, before anybody compares how fast it is.
 * @throws Error where it doesn't answer the right request with the plant
 */
export async function probeEnforcement(contestant: Contestant): Promise<Enforcement> {
  const server = await startServer(contestant);
  try {
    const statuses: Record<string, number> = {};
    for (const probe of PROBES) {
      const response = await post(server, probe);
      const text = await response.text();
      statuses[probe.title] = response.status;
      if (probe.title !== 'right') continue;
      const { name, tag } = PLANT;
      if (response.status !== 200 || text !== JSON.stringify({ name, tag })) {
        throw new Error(
          `${contestant.name} answered ${response.status} ${text} to a right request`,
        );
      }
    }
    return statuses;
  } finally {
    await server.stop();
  }
}

/** The titles of what it answered otherwise than the contract says. */
export function lapsesOf(enforcement: Enforcement): string[] {
  return PROBES.filter(({ title, right }) => enforcement[title] !== right).map(
    ({ title }) => title,
  );
}

function post(server: Server, { body, token = server.token, query = '' }: Probe) {
  return fetch(`http://127.0.0.1:${server.port}/plants${query}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(token !== null && { Authorization: `Bearer ${token}` }),
    },
    body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}
