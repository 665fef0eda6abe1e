import { randomInt } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { Agent, request, type RequestOptions } from 'node:http';
import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import type { Exchange } from 'contract-testing';
import { createPlantsCheck } from './support/contract.js';
import { query, storedPlants, type StoredPlant as Plant } from './support/database.js';
import { createFolder, startService, type Service } from './support/service.js';

/** DURABILITY_ROUNDS and DURABILITY_SEED ask for another run than the suite's. */
const ROUNDS = Number(process.env.DURABILITY_ROUNDS ?? 10);
const CONNECTIONS = 32;
/** A round's service is killed after so many answers at most ... */
const MAX_ANSWERS = 150;
/** ... and so many turns of our event loop, so that it may be anywhere in the work on the next ones. */
const MAX_TURNS = 1000;
const TEST_TIMEOUT_MS = ROUNDS * 6000;

const check = createPlantsCheck();

let folder: string;
let service: Service | undefined;

afterEach(async () => {
  await service?.kill();
  rmSync(folder, { recursive: true, force: true });
});

it(
  `keeps every plant answered 200, and no part of any other, through ${ROUNDS} kills in the middle of creates`,
  async () => {
    folder = createFolder();
    const seed = Number(process.env.DURABILITY_SEED ?? randomInt(2 ** 31));
    const random = createRandom(seed);
    const sent = new Map<bigint, Plant>();
    const answered = new Set<bigint>();
    let unanswered: Plant[] = [];

    for (let round = 1; round <= ROUNDS; round++) {
      service = await startService({}, folder);
      const moment = { answers: 1 + random(MAX_ANSWERS), turns: random(MAX_TURNS) };
      const { answers, open } = await createUntilKilled(service, moment, () => {
        // Those of the last round that nobody answered are tried again first, as a client would.
        const plant = unanswered.pop() ?? createPlant(random, sent.size);
        sent.set(plant.id, plant);
        return plant;
      });
      for (const { plant, status } of answers) {
        expect({ seed, round, plant, status }).toEqual({ seed, round, plant, status: 200 });
        answered.add(plant.id);
      }
      unanswered = [...unanswered, ...open];

      const { integrity, plants } = readStore(folder);
      const stored = new Set(plants.map(({ id }) => id));
      expect({
        seed,
        round,
        integrity,
        lost: [...answered].filter((id) => !stored.has(id)),
        notAsSent: plants.filter((plant) => !isSame(plant, sent.get(plant.id))),
      }).toEqual({ seed, round, integrity: 'ok', lost: [], notAsSent: [] });
    }

    expect(answered.size).toBeGreaterThan(ROUNDS);
  },
  TEST_TIMEOUT_MS,
);

interface Answer {
  readonly plant: Plant;
  readonly status: number;
}

/** Creates plants on many connections at once, and kills the service at that moment. */
async function createUntilKilled(
  { url, token, process: child, exited }: Service,
  moment: { answers: number; turns: number },
  nextPlant: () => Plant,
): Promise<{ answers: Answer[]; open: Plant[] }> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const answers: Answer[] = [];
  const open = new Set<Plant>();

  function killIn(turns: number): void {
    if (turns === 0) child.kill('SIGKILL');
    else setImmediate(killIn, turns - 1);
  }

  async function work(): Promise<void> {
    while (child.exitCode === null && !child.killed) {
      const plant = nextPlant();
      open.add(plant);
      const status = await create(agent, url, token, plant);
      if (status === undefined) return;
      answers.push({ plant, status });
      open.delete(plant);
      if (answers.length === moment.answers) killIn(moment.turns);
    }
  }

  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  await exited;
  agent.destroy();
  return { answers, open: [...open] };
}

/**
 * The status of the answer, once all of it is there; undefined where the connection breaks before.
 * @throws ContractViolation where the answer isn't what the contract says
 */
async function create(
  agent: Agent,
  url: string,
  token: string,
  { id, name, tag }: Plant,
): Promise<number | undefined> {
  const members = tag === null ? { name } : { name, tag };
  const body = `{"id":${id},${JSON.stringify(members).slice(1)}`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await post(`${url}/plants`, { agent, headers }, body);
  if (answer === undefined) return undefined;
  const sent = { method: 'POST', target: '/plants', requestHeaders: headers, requestBody: body };
  check({ ...sent, ...answer });
  return answer.status;
}

/** The answer, undefined where the connection breaks before all of it is there. */
function post(
  url: string,
  options: RequestOptions,
  body: string,
): Promise<Pick<Exchange, 'status' | 'headers' | 'text'> | undefined> {
  return new Promise((resolve) => {
    const broken = (): void => {
      resolve(undefined);
    };
    request(url, { ...options, method: 'POST' })
      .on('response', (response) => {
        const { statusCode: status = 0, headers } = response;
        let text = '';
        response
          .setEncoding('utf8')
          .on('data', (part: string) => (text += part))
          .on('end', () => {
            const answer = { status, headers: headers as Record<string, string>, text };
            resolve(response.complete ? answer : undefined);
          })
          .on('error', broken);
      })
      .on('error', broken)
      .end(body);
  });
}

/**
 * Reads a copy of the store, its write-ahead log included, so that it is the service itself that
 * recovers the original when it starts again.
 */
function readStore(original: string): { integrity: unknown; plants: Plant[] } {
  const copy = join(original, 'copy');
  mkdirSync(copy);
  for (const file of ['plants.db', 'plants.db-wal']) {
    if (existsSync(join(original, file))) copyFileSync(join(original, file), join(copy, file));
  }
  const path = join(copy, 'plants.db');
  try {
    return {
      integrity: query(path, 'PRAGMA integrity_check')[0]?.integrity_check,
      plants: storedPlants(path),
    };
  } finally {
    rmSync(copy, { recursive: true });
  }
}

function isSame(plant: Plant, other: Plant | undefined): boolean {
  return plant.id === other?.id && plant.name === other.name && plant.tag === other.tag;
}

const TEXTS = ['fern', '白檀', 'Ñandubay', '🌵', '"\\\n', ''];

/** A plant like no other: ids of both signs and beyond 2^53, texts of one byte and of many pages. */
function createPlant(random: (below: number) => number, serial: number): Plant {
  const sign = random(2) === 0 ? 1n : -1n;
  const id = sign * (BigInt(random(2 ** 31)) * 2n ** 31n + BigInt(serial));
  const text = TEXTS[random(TEXTS.length)] ?? '';
  const length = random(10) === 0 ? random(3000) : random(20);
  return {
    id,
    name: `${serial} ${text.repeat(length)}`,
    tag: random(3) === 0 ? null : `${text}${random(1000)}`,
  };
}

/** Mulberry32: whole numbers from 0 to `below` - 1, the same ones for the same seed. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
