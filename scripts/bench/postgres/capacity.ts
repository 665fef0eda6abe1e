import { runLoad } from '../load/round.js';
import type { Contestant } from '../process/contestants.js';
import { startServer, type Server } from '../process/server.js';
import type { DatabaseServer } from './database-server.js';

/** What so many replicas of a program have done together on one database, and what it took. */
export interface Capacity {
  readonly name: string;
  readonly replicas: number;
  readonly perSecond: number;
  /** Processor time for each create, in microseconds. */
  readonly replicaMicros: number;
  readonly databaseMicros: number;
}

export interface CapacityLoad {
  /** Of each replica. */
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

const IDS_OF_A_REPLICA = 10_000_000;

/** Puts replicas of a program under load at the same time, each from a process of its own. */
export async function measureCapacity(
  server: DatabaseServer,
  contestant: Contestant,
  replicas: number,
  { connections, ...times }: CapacityLoad,
): Promise<Capacity> {
  await contestant.database?.empty();
  const servers: Server[] = [];
  try {
    for (let count = 0; count < replicas; count++) servers.push(await startServer(contestant));
    const before = server.cpuMicros();
    const results = await Promise.all(
      servers.map((one, index) =>
        runLoad(one, {
          ...times,
          connections,
          bodyBytes: 100,
          ids: 'ascending',
          earlierRequests: index * IDS_OF_A_REPLICA,
        }),
      ),
    );
    const databaseMicros = server.cpuMicros() - before;
    const perSecond = results.reduce((sum, one) => sum + one.requestsPerSecond, 0);
    const replicaMicros = results.reduce(
      (sum, one) => sum + one.cpuMicrosPerRequest * one.requestsPerSecond,
      0,
    );
    const answered = results.reduce((sum, one) => sum + one.answered, 0);
    return {
      name: contestant.name,
      replicas,
      perSecond,
      replicaMicros: replicaMicros / perSecond,
      databaseMicros: databaseMicros / answered,
    };
  } finally {
    await Promise.all(servers.map((one) => one.stop()));
  }
}
