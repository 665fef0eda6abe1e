import { describe, expect, it } from '@jest/globals';
import type { Outcome } from '../../../scripts/import/client.js';
import { importRows, type Tally } from '../../../scripts/import/import-rows.js';
import type { RefusedRow } from '../../../scripts/import/refused-file.js';
import type { Row } from '../../../scripts/import/row.js';
import { StopError } from '../../../scripts/stop-error.js';

const FAILED: Outcome = { kind: 'failed', code: 50001, message: 'a fault' };

function createImport(count: number, send: (id: bigint) => Promise<Outcome>, concurrency: number) {
  const tally: Tally = { accepted: 0, refused: 0, failed: 0, sentAgain: 0, endByte: 0 };
  const listed: RefusedRow[] = [];
  const stops: string[] = [];
  const controller = new AbortController();
  let drawn = 0;
  async function* rows(): AsyncGenerator<Row, void> {
    for (let line = 1; line <= count; line++) {
      drawn++;
      yield await Promise.resolve({
        line,
        endByte: line * 10,
        plant: { id: BigInt(line), name: 'x' },
      });
    }
  }
  const done = importRows(rows(), tally, {
    send: ({ id }) => send(id),
    list: (row) => listed.push(row),
    concurrency,
    signal: controller.signal,
    stop: (why) => {
      stops.push(why);
      controller.abort();
    },
  });
  return { done, tally, listed, stops, drawn: () => drawn };
}

describe('importRows', () => {
  it('reads no further ahead than what is on its way', async () => {
    const held: (() => void)[] = [];
    const { done, tally, drawn } = createImport(
      100,
      () =>
        new Promise((resolve) => {
          held.push(() => {
            resolve({ kind: 'accepted' });
          });
          if (held.length === 4) setImmediate(() => held[0]?.());
          // The fifth comes only because the first was answered.
          if (held.length === 5) {
            drawnAtFifth = drawn();
            for (const release of held) release();
          } else if (held.length > 5) resolve({ kind: 'accepted' });
        }),
      4,
    );
    let drawnAtFifth = 0;

    await done;

    expect(drawnAtFifth).toBe(5);
    expect(tally).toMatchObject({ accepted: 100, endByte: 1000 });
  });

  it('stops once as many rows in succession have failed as are on their way', async () => {
    const { done, tally, listed, stops } = createImport(100, () => Promise.resolve(FAILED), 12);

    await done;

    expect(stops[0]).toBe('12 rows in succession have failed');
    expect(tally.failed).toBeGreaterThanOrEqual(12);
    expect(tally.failed).toBeLessThan(24);
    expect(listed).toHaveLength(tally.failed);
  });

  it('goes on after rows that fail by themselves', async () => {
    const { done, tally, listed, stops } = createImport(
      30,
      (id) => Promise.resolve(id % 3n === 0n ? FAILED : { kind: 'accepted' }),
      1,
    );

    await done;

    expect(stops).toEqual([]);
    expect(tally).toMatchObject({ accepted: 20, failed: 10 });
    expect(listed[0]).toEqual({
      line: 3,
      code: 50001,
      message: 'a fault',
      members: { id: 3n, name: 'x' },
    });
  });

  it('waits for what is on its way before it fails', async () => {
    let release = (): void => undefined;
    const { done, tally } = createImport(
      100,
      (id) => {
        if (id === 1n) {
          return new Promise((resolve) => {
            release = () => {
              resolve({ kind: 'accepted' });
            };
          });
        }
        setImmediate(() => {
          release();
        });
        return Promise.reject(new StopError('no access'));
      },
      2,
    );

    await expect(done).rejects.toThrow(new StopError('no access'));
    expect(tally.accepted).toBe(1);
  });
});
