import { CONTESTANTS, type Contestant } from '../process/contestants.js';
import type { DatabaseServer } from './database-server.js';

/** Those of `npm run bench` that can keep their plants in PostgreSQL. */
const NAMES = ['ours', 'fastify', 'fastify + our store', 'bare'];
/** How many times their throughput ours must have there. */
const MUSTS: Readonly<Record<string, number>> = { fastify: 4, 'fastify + our store': 0.9 };

/** The programs, each with a database of its own. */
export async function createContestants(server: DatabaseServer): Promise<Contestant[]> {
  const contestants: Contestant[] = [];
  for (const contestant of CONTESTANTS.filter(({ name }) => NAMES.includes(name))) {
    const must = MUSTS[contestant.name] ?? contestant.must;
    contestants.push({
      ...contestant,
      ...(must !== undefined && { must }),
      database: await server.createDatabase(),
    });
  }
  return contestants;
}
