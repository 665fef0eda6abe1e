import { createGroupCommit } from './group-commit.js';
import {
  StoreUnavailableError,
  type CreateResult,
  type NewPlant,
  type PlantStore,
  type StoreFault,
} from './plant-store.js';
import { closeDatabase, faultOf, retryWhileLocked, transact } from './sqlite-driver.js';
import { createFileCheck, openStoreFile, type StoreFileOptions } from './store-file.js';

interface Create {
  readonly plant: NewPlant;
  readonly createdBy: string;
}

/** How long another process may hold the file's write lock, from the arrival of what waits for it. */
const LOCK_TIMEOUT_MS = 1000;
/** How long it may go unnoticed that the file was removed or replaced. */
const FILE_CHECK_MS = 1000;

/**
 * Opens, and where need be creates, a store in a SQLite file. The file and its folder are private to
 * the user.
 *
 * Creates are committed in groups: those that arrive while one group goes to disk share the next
 * commit, so that many requests pay for one fsync, and each is answered only after its own.
 * @throws StoreFileError
 */
export function openSqlitePlantStore(path: string, options?: StoreFileOptions): PlantStore {
  const db = openStoreFile(path, options);
  const isFileInPlace = createFileCheck(path);
  const insert = db.prepare(
    `INSERT INTO plants (id, name, tag, created_at, created_by) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO NOTHING`,
  );
  const select = db.prepare('SELECT name, tag FROM plants WHERE id = ?');
  const markWritable = db.prepare(
    `INSERT INTO write_check (id, checked_at) VALUES (1, ?)
     ON CONFLICT (id) DO UPDATE SET checked_at = excluded.checked_at`,
  );
  let fileCheckedAt = performance.now();
  let damage: unknown;
  let isClosing = false;

  function createOne({ plant, createdBy }: Create, createdAt: string): CreateResult {
    const { id, name, tag } = plant;
    if (insert.run(id, name, tag ?? null, createdAt, createdBy).changes === 1) return 'created';
    const stored = select.get(id);
    return stored?.name === name && stored.tag === (tag ?? null) ? 'unchanged' : 'conflict';
  }

  function createAll(group: readonly Create[]): CreateResult[] {
    const createdAt = new Date().toISOString();
    return transact(db, () => group.map((create) => createOne(create, createdAt)));
  }

  /** Does what writes to the file, once nobody else holds its lock. */
  async function write<T>(what: string, work: () => T, since: number): Promise<T> {
    if (damage !== undefined) {
      throw unavailable(
        'corrupt',
        'damage was found in the file; stop, and restore a backup',
        damage,
      );
    }
    if (performance.now() - fileCheckedAt >= FILE_CHECK_MS) {
      if (!isFileInPlace()) {
        throw unavailable('replaced', `${path} was removed or replaced; put it back, or restart`);
      }
      fileCheckedAt = performance.now();
    }
    try {
      return await retryWhileLocked(work, since + LOCK_TIMEOUT_MS);
    } catch (error) {
      const fault = faultOf(error);
      // To write into a damaged file may damage it further.
      if (fault === 'corrupt') damage = error;
      throw unavailable(fault, `${what} failed`, error);
    }
  }

  const commits = createGroupCommit((group: readonly Create[], since) =>
    write('the commit', () => createAll(group), since),
  );

  return {
    async create(plant, createdBy) {
      if (isClosing) throw new StoreUnavailableError('the store is closed');
      return commits.add({ plant, createdBy });
    },

    flush: () => {
      commits.flush();
    },

    async checkWritable() {
      const now = performance.now();
      fileCheckedAt = -Infinity;
      await write('a write', () => markWritable.run(new Date().toISOString()), now);
    },

    async close() {
      isClosing = true;
      await commits.drain();
      if (db.isOpen) closeDatabase(db);
    },
  };
}

function unavailable(fault: StoreFault, message: string, cause?: unknown): StoreUnavailableError {
  return new StoreUnavailableError(message, { fault, cause });
}
