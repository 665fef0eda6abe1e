import { openDatabase, type Row } from '../../src/plants/sqlite-driver.js';

export interface StoredPlant {
  readonly id: bigint;
  readonly name: string;
  readonly tag: string | null;
}

/** The rows that a statement gives on a SQLite file, with integers as bigint. */
export function query(path: string, sql: string): Row[] {
  const db = openDatabase(path);
  try {
    const statement = db.prepare(sql);
    statement.setReadBigInts(true);
    return statement.all();
  } finally {
    db.close();
  }
}

/** All plants in the file of a store, by their ids. */
export function storedPlants(path: string): StoredPlant[] {
  const rows: unknown[] = query(path, 'SELECT id, name, tag FROM plants ORDER BY id');
  return rows as StoredPlant[]; // the columns and their types
}
