import { mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mountSmallDisk, type SmallDisk } from '../hostile/small-disk.js';
import { createServerFolder } from '../postgres/support/commands.js';
import { FLAWLESS, type Ledger } from '../postgres/support/ledger.js';
import { eventually } from '../support/eventually.js';
import type { Pair } from './pair.js';
import { deploy, type Deployment } from './service.js';

/** FAILOVER_KILLS and FAILOVER_CUTS ask for more rounds. */
const KILLS = Number(process.env.FAILOVER_KILLS ?? 3);
const CUTS = Number(process.env.FAILOVER_CUTS ?? 3);
const CONTROL_CUTS = 10;
const FAULT_MS = 1500;
/** Longer than one try of the store, which is then made again on a new connection. */
const STANDSTILL_MS = 6000;
const DISK_MB = 300;
/** How much is answered between two faults. */
const ANSWERS = 300;
const ROUND_TIMEOUT_MS = 60_000;

async function progress(ledger: Ledger): Promise<void> {
  const enough = ledger.acknowledged + ANSWERS;
  await eventually(() => ledger.acknowledged > enough || undefined, ROUND_TIMEOUT_MS);
}

/** The primary is gone for good, and the standby takes over. */
async function killPrimary(pair: Pair): Promise<void> {
  await pair.primary.cluster.kill();
  await pair.promote();
  await pair.rejoin();
}

/**
 * Commits wait for a standby that they can't reach. When their server crashes and comes back, it shows them,
 * though nobody else has them; and then it is gone for good.
 */
async function cutCrashAndKillPrimary(pair: Pair): Promise<void> {
  const { cluster, replication } = pair.primary;
  replication.cut();
  await eventually(async () => {
    const waiting = await cluster.query(
      'postgres',
      "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
    );
    return waiting.length > 0 || undefined;
  });
  await cluster.kill();
  await cluster.start();
  await pause(FAULT_MS);
  await killPrimary(pair);
}

async function stopFor(pair: Pair, which: 'primary' | 'standby'): Promise<void> {
  const { cluster } = pair[which];
  cluster.signal('SIGSTOP');
  await pause(STANDSTILL_MS);
  cluster.signal('SIGCONT');
}

describe('three replicas on a primary and its synchronous standby', () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await deploy();
  });
  afterAll(() => deployment.remove());

  it.each<[string, number, (deployment: Deployment) => Promise<void>]>([
    [`${KILLS} kills of the primary`, KILLS, ({ pair }) => killPrimary(pair)],
    [
      `${CUTS} cuts of the replication with a crash and a kill of the primary`,
      CUTS,
      ({ pair }) => cutCrashAndKillPrimary(pair),
    ],
    ['a primary that stands still', 1, ({ pair }) => stopFor(pair, 'primary')],
    ['a standby that stands still', 1, ({ pair }) => stopFor(pair, 'standby')],
    [
      'a replica that reaches no server',
      1,
      (deployed) => deployed.partitioned(() => pause(STANDSTILL_MS)),
    ],
  ])(
    'lose and change no plant that they answered for through %s',
    async (name, rounds, fault) => {
      const { ledger, verdict } = await deployment.underLoad(async (answers) => {
        for (let round = 0; round < rounds; round++) {
          await progress(answers);
          await fault(deployment);
        }
        await progress(answers);
      });

      console.log(`${name}: ${figuresOf(ledger)}`);
      expect(verdict).toEqual(FLAWLESS);
    },
    (KILLS + CUTS + 2) * ROUND_TIMEOUT_MS,
  );
});

describe('a primary whose disk is full', () => {
  let disk: SmallDisk;
  let deployment: Deployment;
  beforeEach(() => {
    disk = mountSmallDisk(DISK_MB);
  });
  afterEach(async () => {
    await deployment.remove();
    disk.unmount();
  });

  it(
    'refuses, goes on when there is room, and has lost nothing when the standby takes over',
    async () => {
      const folder = `${disk.folder}/server`;
      mkdirSync(folder);
      deployment = await deploy({
        folders: [folder, createServerFolder()],
        settings: { wal_keep_size: '32MB', max_wal_size: '64MB' },
      });
      const { pair } = deployment;
      const isRefused = async (ledger: Ledger): Promise<void> => {
        const before = ledger.others.get(503) ?? 0;
        await eventually(
          () => (ledger.others.get(503) ?? 0) > before || undefined,
          ROUND_TIMEOUT_MS,
        );
      };

      const { ledger, verdict } = await deployment.underLoad(async (answers) => {
        await progress(answers);
        disk.fill();
        await isRefused(answers);
        disk.clear();
        await progress(answers);
        disk.fill();
        await isRefused(answers);
        await pair.primary.cluster.kill();
        disk.clear();
        await pair.promote();
        await pair.rejoin();
        await progress(answers);
      });

      console.log(`a full disk: ${figuresOf(ledger)}`);
      expect(verdict).toEqual(FLAWLESS);
    },
    5 * ROUND_TIMEOUT_MS,
  );
});

describe('replicas that answer from plain reads', () => {
  let deployment: Deployment;
  afterEach(() => deployment.remove());

  it(
    'lose plants that they answered for, so that the faults are known to be grave enough',
    async () => {
      const program = [
        '--conditions=workspace',
        '--import',
        'tsx',
        'tests/failover/plain-read-service.ts',
      ];
      deployment = await deploy({ program });
      let lost = 0;
      let cuts = 0;
      while (lost === 0 && cuts < CONTROL_CUTS) {
        cuts++;
        const { ledger, verdict } = await deployment.underLoad(async (answers) => {
          await progress(answers);
          await cutCrashAndKillPrimary(deployment.pair);
        });
        lost = verdict.lost.length;
        console.log(`control, cut ${cuts}: ${lost} lost; ${figuresOf(ledger)}`);
      }

      expect(lost).toBeGreaterThan(0);
    },
    CONTROL_CUTS * ROUND_TIMEOUT_MS,
  );
});

function figuresOf({ acknowledged, conflicts, others }: Ledger): string {
  const rest = [...others].map(([status, count]) => `${count} of ${status || 'no answer'}`);
  return `${acknowledged} answered 200, ${conflicts} answered 409, ${rest.join(', ') || 'no other'}`;
}
