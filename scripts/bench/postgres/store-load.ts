/**
 * Callers without HTTP, in a process of its own, each with one create after the other: of the store as the
 * service has it, or of `pg` with the same statement and nothing around it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Client } from 'pg';
import type * as OurUrl from '../../../src/database-url.js';
import type * as OurStore from '../../../src/open-store.js';
import type * as OurStatements from '../../../src/plants/postgres/create-all.js';

export interface Load {
  readonly callers: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

export interface StoreLoad extends Load {
  readonly url: string;
  readonly program: 'store' | 'pg';
  /** How many plants a caller of `pg` creates at a time. */
  readonly batch: number;
}

interface Program {
  /** What each caller does again and again: it creates so many plants. */
  readonly turns: readonly (() => Promise<number>)[];
  readonly close: () => Promise<unknown>;
}

const options = JSON.parse(process.argv[2] ?? '') as StoreLoad; // written by store-alone.ts
const { callers, batch, warmUpMs, measureMs } = options;
const { parseDatabaseUrl } = (await importBuilt('database-url')) as typeof OurUrl; // what it is built from
const databaseUrl = parseDatabaseUrl(options.url);
const plant = { name: 'monkey puzzle in the north garden', tag: 'araucaria araucana' };
let nextId = 1n;
let created = 0;
let isOver = false;

const { turns, close } = await (options.program === 'store' ? openStore() : openDriver());
const running = turns.map(async (turn) => {
  while (!isOver) {
    const count = await turn();
    created += count;
  }
});
await sleep(warmUpMs);
const before = created;
const startedAt = performance.now();
await sleep(measureMs);
const perSecond = ((created - before) * 1000) / (performance.now() - startedAt);
isOver = true;
await Promise.all(running);
await close();
console.log(perSecond);

async function openStore(): Promise<Program> {
  const built = (await importBuilt('open-store')) as typeof OurStore; // what it is built from
  const store = await built.openStore({ databaseUrl, namedStatements: true });
  const turn = async (): Promise<number> => {
    await store.create({ id: nextId++, ...plant }, 'bench');
    return 1;
  };
  return { turns: Array.from({ length: callers }, () => turn), close: () => store.close() };
}

async function openDriver(): Promise<Program> {
  if (databaseUrl.engine !== 'postgres') throw new Error('the URL is not PostgreSQL’s');
  const { INSERT } = (await importBuilt('plants/postgres/create-all')) as typeof OurStatements; // likewise
  const [server] = databaseUrl.hosts;
  const clients = Array.from({ length: callers }, () => new Client({ ...databaseUrl, ...server }));
  await Promise.all(clients.map((client) => client.connect()));
  const fill = (text: string): string[] => Array.from({ length: batch }, () => text);
  const turns = clients.map((client) => async (): Promise<number> => {
    const ids = Array.from({ length: batch }, () => nextId++).join(',');
    const { rows } = await client.query({
      name: 'plants_insert',
      text: INSERT,
      values: [
        `{${ids}}`,
        fill(plant.name),
        fill(plant.tag),
        fill('bench'),
        new Date().toISOString(),
      ],
    });
    return rows.length;
  });
  return { turns, close: () => Promise.all(clients.map((client) => client.end())) };
}

/** A module as the service runs it, which nothing translates on the way. */
function importBuilt(name: string): Promise<unknown> {
  return import(pathToFileURL(`dist/src/${name}.js`).href);
}
