import type { Contestant } from './contestants.js';
import { startServer, type Server } from './server.js';

/** What a contestant answered to one right request and three wrong ones: the statuses, by title. */
export type Enforcement = Readonly<Record<string, number>>;

const PLANT = { id: 11646167, name: 'monkey puzzle', tag: 'araucaria' };
const RIGHT = 'right';
const REQUESTS: Readonly<Record<string, { body: object; isAnonymous?: boolean }>> = {
  [RIGHT]: { body: PLANT },
  'wrong type': { body: { ...PLANT, id: 2, name: 7 } },
  'no name': { body: { id: 3, tag: 'araucaria' } },
  'no token': { body: { ...PLANT, id: 4 }, isAnonymous: true },
};
const TIMEOUT_MS = 5000;

/**
 * Finds out what a contestant checks at all, before anybody compares how fast it is.
 * @throws Error where it doesn't answer the right request with the plant
 */
export async function probeEnforcement(contestant: Contestant): Promise<Enforcement> {
  const server = await startServer(contestant);
  try {
    const statuses: Record<string, number> = {};
    for (const [title, { body, isAnonymous = false }] of Object.entries(REQUESTS)) {
      const response = await post(server, body, isAnonymous);
      const text = await response.text();
      statuses[title] = response.status;
      if (title !== RIGHT) continue;
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

function post({ port, token }: Server, body: object, isAnonymous: boolean): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}/plants`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(!isAnonymous && { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}
