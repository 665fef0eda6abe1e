import { OURS } from '../process/contestants.js';
import { showSpread, spread } from '../report/spread.js';
import { textTable } from '../report/table.js';
import type { Capacity } from './capacity.js';

/** What the store alone must reach of pgbench. */
const MUST = 0.7;

export interface StoreRounds {
  readonly callers: number;
  readonly store: readonly number[];
  readonly driver: readonly number[];
  readonly pgbench: readonly number[];
}

/** The store alone beside pgbench and the driver with the same statement. */
export function storeTable(rows: readonly StoreRounds[]): string {
  return textTable([
    ['callers', 'store plants/s', 'pgbench plants/s', 'pg alone is', 'store is', 'must'],
    ...rows.map(({ callers, store, driver, pgbench }) => {
      // Rounds are compared in pairs: what slows the machine down for a while slows down both.
      const ratioOf = (figures: readonly number[]) =>
        spread(figures.map((figure, round) => figure / (pgbench[round] ?? NaN)));
      const ratio = ratioOf(store);
      return [
        String(callers),
        showSpread(spread(store), 0),
        showSpread(spread(pgbench), 0),
        `${showSpread(ratioOf(driver), 2)} x`,
        `${showSpread(ratio, 2)} x`,
        `${MUST} x: ${ratio.median >= MUST ? 'met' : 'MISSED'}`,
      ];
    }),
  ]);
}

/** What a create costs each program and PostgreSQL, and what replicas get on this machine, which all share. */
export function costTable(results: readonly Capacity[]): string {
  return textTable([
    [
      ...['', 'replicas', 'creates/s here', 'CPU µs of a replica', 'of PostgreSQL', 'together'],
      'creates per CPU second',
    ],
    ...results.map(({ name, replicas, perSecond, replicaMicros, databaseMicros }) => [
      name,
      String(replicas),
      perSecond.toFixed(0),
      replicaMicros.toFixed(1),
      databaseMicros.toFixed(1),
      (replicaMicros + databaseMicros).toFixed(1),
      (1e6 / (replicaMicros + databaseMicros)).toFixed(0),
    ]),
  ]);
}

const REPLICAS = [1, 2, 3, 4, 8, 16];
const DATABASE_PROCESSORS = [1, 2, 4, 8];

/**
 * Creates per second by replicas of ours, computed of what a create costs one replica alone: each has a
 * processor to itself, and PostgreSQL so many. A star marks where PostgreSQL is the limit.
 */
export function capacityTable(results: readonly Capacity[]): string {
  const alone = results.find(({ name, replicas }) => name === OURS.name && replicas === 1);
  if (alone === undefined) throw new Error('one replica alone has not been measured');
  const { replicaMicros, databaseMicros } = alone;
  return textTable([
    ['replicas', ...DATABASE_PROCESSORS.map((count) => `PostgreSQL on ${count}`)],
    ...REPLICAS.map((replicas) => [
      String(replicas),
      ...DATABASE_PROCESSORS.map((processors) => {
        const ofReplicas = (replicas * 1e6) / replicaMicros;
        const ofDatabase = (processors * 1e6) / databaseMicros;
        return ofDatabase < ofReplicas ? `${ofDatabase.toFixed(0)} *` : ofReplicas.toFixed(0);
      }),
    ]),
  ]);
}
