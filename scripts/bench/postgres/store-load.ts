/** The store alone, in a process of its own: so many callers, each with one create after the other. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseDatabaseUrl } from '../../../src/database-url.js';
import { openStore } from '../../../src/open-store.js';

export interface StoreLoad {
  readonly url: string;
  readonly callers: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

const { url, callers, warmUpMs, measureMs } = JSON.parse(process.argv[2] ?? '') as StoreLoad; // written by store-alone.ts
const databaseUrl = parseDatabaseUrl(url);
if (databaseUrl === undefined) throw new Error('the URL is no store’s');
const store = await openStore({ databaseUrl, namedStatements: true });
const load = { nextId: 1n, created: 0, isOver: false };

async function call(): Promise<void> {
  while (!load.isOver) {
    const plant = {
      id: load.nextId++,
      name: 'monkey puzzle in the north garden',
      tag: 'araucaria araucana',
    };
    await store.create(plant, 'bench');
    load.created++;
  }
}

const calls = Array.from({ length: callers }, call);
await sleep(warmUpMs);
const before = load.created;
const startedAt = performance.now();
await sleep(measureMs);
const perSecond = ((load.created - before) * 1000) / (performance.now() - startedAt);
load.isOver = true;
await Promise.all(calls);
await store.close();
console.log(perSecond);
