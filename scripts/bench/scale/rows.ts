import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../../src/plants/sqlite-driver.js';
import { openSqlitePlantStore } from '../../../src/plants/sqlite-plant-store.js';
import { OURS } from '../process/contestants.js';
import { FIRST_ID, IDS } from '../load/plant-request.js';
import { runRound, type RoundOptions } from '../load/round.js';
import { spread, type Spread } from '../report/spread.js';

/** What a request costs where so many plants are stored already. */
export interface Rows {
  readonly rowsBefore: number;
  readonly rowsAfter: number;
  readonly cpuMicrosPerRequest: Spread;
  readonly p99Ms: Spread;
  readonly residentMb: Spread;
}

const ROWS_PER_TRANSACTION = 1_000_000;

/** Every size in a file of its own, filled by SQL; each round in a new process. */
export async function measureRows(
  rowsBefore: number,
  rounds: number,
  load: RoundOptions,
): Promise<Rows> {
  const folder = mkdtempSync(join(tmpdir(), 'plants-bench-'));
  try {
    const file = join(folder, 'plants.db');
    await fill(file, rowsBefore);
    const results = [];
    let earlierRequests = 0;
    for (let round = 0; round < rounds; round++) {
      // Ids all over the index: those that only ever grow would touch its last page and no other.
      const options = { ...load, ids: 'scattered', earlierRequests } as const;
      const result = await runRound(OURS, options, file);
      earlierRequests += result.answered;
      results.push(result);
    }
    return {
      rowsBefore,
      rowsAfter: rowsBefore + earlierRequests,
      cpuMicrosPerRequest: spread(results.map((result) => result.cpuMicrosPerRequest)),
      p99Ms: spread(results.map((result) => result.p99Ms)),
      residentMb: spread(results.map((result) => result.residentMb)),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Fills a new file of our store with plants whose odd ids lie evenly between those of the load. */
async function fill(file: string, rows: number): Promise<void> {
  await openSqlitePlantStore(file).close();
  const db = openDatabase(file);
  db.exec('PRAGMA synchronous = OFF');
  const insert = db.prepare(
    `WITH RECURSIVE numbers (n) AS (SELECT ? UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?)
     INSERT INTO plants (id, name, tag, created_at, created_by)
     SELECT ${FIRST_ID + 1} + n * ?, 'monkey puzzle in the north garden', 'araucaria araucana',
       '2024-01-01T00:00:00.000Z', 'bench' FROM numbers`,
  );
  const step = 2 * Math.floor(IDS / rows);
  for (let from = 0; from < rows; from += ROWS_PER_TRANSACTION) {
    insert.run(from, Math.min(rows, from + ROWS_PER_TRANSACTION), step);
  }
  db.close();
}
