import { writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { StoreFault } from '../../src/plants/plant-store.js';
import { faultOf, openDatabase, transact, type Database } from '../../src/plants/sqlite-driver.js';
import { createFolder } from '../support/service.js';

let opened: Database[] = [];

afterEach(() => {
  for (const db of opened) db.close();
  opened = [];
});

function open(path: string, options?: { readOnly: boolean }): Database {
  const db = openDatabase(path, options);
  opened.push(db);
  return db;
}

function newFile(): string {
  return `${createFolder()}/test.db`;
}

/** A new file with one table, `numbers`. */
function newDatabase(path = newFile()): Database {
  const db = open(path);
  db.exec('CREATE TABLE numbers (n BIGINT UNIQUE)');
  return db;
}

describe('a statement', () => {
  it.each([2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, -(2n ** 63n)])(
    'writes and reads %d exactly',
    (n) => {
      const db = newDatabase();
      db.prepare('INSERT INTO numbers VALUES (?)').run(n);
      const select = db.prepare('SELECT n FROM numbers');
      select.setReadBigInts(true);

      expect(select.all()).toEqual([{ n }]);
    },
  );

  it.each([2n ** 63n, -(2n ** 63n) - 1n])('refuses %d, which SQLite can not hold', (n) => {
    const insert = newDatabase().prepare('INSERT INTO numbers VALUES (?)');

    expect(() => insert.run(n)).toThrow();
  });

  it('says how many rows it has changed, each time that it runs', () => {
    const insert = newDatabase().prepare('INSERT INTO numbers VALUES (?) ON CONFLICT DO NOTHING');

    expect([insert.run(1).changes, insert.run(1).changes, insert.run(2).changes]).toEqual([
      1, 0, 1,
    ]);
  });
});

describe('transact', () => {
  it('keeps nothing of what fails, and throws what it threw', () => {
    const db = newDatabase();
    const failure = new Error('in the middle');

    expect(() =>
      transact(db, () => {
        db.exec('INSERT INTO numbers VALUES (1)');
        throw failure;
      }),
    ).toThrow(failure);

    expect(db.prepare('SELECT n FROM numbers').all()).toEqual([]);
    expect(transact(db, () => 'the next one')).toBe('the next one');
  });
});

describe('faultOf', () => {
  const breaks: [StoreFault, () => void][] = [
    [
      'locked',
      () => {
        const path = newFile();
        const db = newDatabase(path);
        open(path).exec('BEGIN IMMEDIATE');
        transact(db, () => 0);
      },
    ],
    [
      'full',
      () => {
        const db = newDatabase();
        // The largest size that it has already.
        db.exec('PRAGMA max_page_count = 1');
        transact(db, () => {
          db.exec('CREATE TABLE texts AS SELECT hex(zeroblob(10000)) AS text');
        });
      },
    ],
    [
      'read-only',
      () => {
        const path = newFile();
        newDatabase(path);
        open(path, { readOnly: true }).exec('DELETE FROM numbers');
      },
    ],
    [
      'corrupt',
      () => {
        const path = newFile();
        writeFileSync(path, 'a shopping list, and a long one at that\n'.repeat(50));
        open(path).exec('PRAGMA journal_mode = WAL');
      },
    ],
    [
      'other',
      () => {
        newDatabase().exec('no SQL');
      },
    ],
    [
      'other',
      () => {
        throw new Error('not of SQLite');
      },
    ],
  ];

  it.each(breaks)('calls a failure "%s"', (fault, fail) => {
    let thrown: unknown;
    try {
      fail();
    } catch (error) {
      thrown = error;
    }

    expect(thrown).toBeDefined();
    expect(faultOf(thrown)).toBe(fault);
  });
});
