import type { CreateResult, NewPlant } from '../plant-store.js';
import type { Connection } from './connection.js';
import { isRolledBack, TransientError } from './failure.js';

export interface Create {
  readonly plant: NewPlant;
  readonly createdBy: string;
}

/** Creates that are tried together, and what is known of them after the tries so far. */
export interface Batch {
  readonly creates: readonly Create[];
  /** Whether some of it may be in the store, without anybody having been told. */
  mayBeStored: boolean;
}

export interface Statements {
  /** Whether the server keeps them prepared, by their names. */
  readonly areNamed: boolean;
  /** Reads plants by their ids, `$1`. */
  readonly read: string;
}

/** Creates plants of arrays of their ids, names, tags and creators, and says which ids were new. */
export const INSERT = `
  INSERT INTO plants (id, name, tag, created_at, created_by)
  SELECT u.id, u.name, u.tag, $5, u.created_by
  FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) AS u(id, name, tag, created_by)
  ON CONFLICT (id) DO NOTHING RETURNING id`;

/**
 * A row that is visible may not have been replicated: the commit that wrote it was cancelled, or its server
 * crashed, while it waited for the standby. The message in the log makes this statement a commit of its
 * own, which waits for all that it has read.
 */
export const FENCED_READ = `
  SELECT p.id, p.name, p.tag FROM plants p,
    (SELECT pg_logical_emit_message(true, 'plants', '')) AS fence
  WHERE p.id = ANY($1::bigint[])`;

interface Content {
  readonly name: string;
  readonly tag: string | null;
}

/**
 * Creates the plants of a batch, in one commit; where some of the ids are taken, a second one stands behind
 * what is said of those. Of several plants with one id the first is tried, and the others are compared
 * with what is stored then.
 * @returns a result for each create, in order
 */
export async function createAll(
  connection: Connection,
  batch: Batch,
  statements: Statements,
): Promise<CreateResult[]> {
  const firsts = new Map<bigint, Create>();
  for (const create of batch.creates) {
    if (!firsts.has(create.plant.id)) firsts.set(create.plant.id, create);
  }
  const created = await insert(connection, batch, [...firsts.values()], statements);
  const taken = [...firsts.keys()].filter((id) => !created.has(id));
  const stored = taken.length === 0 ? undefined : await read(connection, taken, statements);

  return batch.creates.map((create) => {
    const { id, name, tag = null } = create.plant;
    const first = firsts.get(id);
    if (first === create && created.has(id)) return 'created';
    const content = created.has(id) ? first?.plant : stored?.get(id);
    if (content === undefined) throw new TransientError(`plant ${id} was removed meanwhile`);
    return content.name === name && (content.tag ?? null) === tag ? 'unchanged' : 'conflict';
  });
}

/** The ids that were new. */
async function insert(
  connection: Connection,
  batch: Batch,
  creates: readonly Create[],
  { areNamed }: Statements,
): Promise<Set<bigint>> {
  // In the same order everywhere, two batches with the same ids wait for each other in no circle.
  const sorted = [...creates].sort((a, b) => (a.plant.id < b.plant.id ? -1 : 1));
  const wasStoredBefore = batch.mayBeStored;
  batch.mayBeStored = true;
  try {
    const rows = await connection.query<{ id: string }>({
      ...(areNamed && { name: 'plants_insert' }),
      text: INSERT,
      values: [
        bigintArray(sorted.map(({ plant }) => plant.id)),
        sorted.map(({ plant }) => plant.name),
        sorted.map(({ plant }) => plant.tag ?? null),
        sorted.map(({ createdBy }) => createdBy),
        new Date().toISOString(),
      ],
    });
    if (rows.length === 0) batch.mayBeStored = wasStoredBefore;
    return new Set(rows.map(({ id }) => BigInt(id)));
  } catch (error) {
    if (isRolledBack(error)) batch.mayBeStored = wasStoredBefore;
    throw error;
  }
}

async function read(
  connection: Connection,
  ids: readonly bigint[],
  statements: Statements,
): Promise<Map<bigint, Content>> {
  const rows = await connection.query<Content & { readonly id: string }>({
    ...(statements.areNamed && { name: 'plants_read' }),
    text: statements.read,
    values: [bigintArray(ids)],
  });
  return new Map(rows.map(({ id, ...content }) => [BigInt(id), content]));
}

const bigintArray = (ids: readonly bigint[]): string => `{${ids.join(',')}}`;
