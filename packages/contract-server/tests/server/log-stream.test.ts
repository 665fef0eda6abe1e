import { execFileSync } from 'node:child_process';
import { constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createLogStream, fileSink, type LogStream } from '../../src/server/log-stream.js';
import { createFolder } from '../support/folder.js';

const LINE = `${'x'.repeat(1023)}\n`;
/** More than waits at most, and more than a pipe holds. */
const MANY = 3000;

/** Its descriptor stays open: a log on a full disk goes on trying, and must not meet another file under it. */
function openLog(path: string, flags: number): { fd: number; log: LogStream; said: number[] } {
  const fd = openSync(path, flags);
  const said: number[] = [];
  const log = createLogStream({
    sink: fileSink(fd),
    onDropped: (dropped) => {
      said.push(dropped);
      log.write(`${dropped} are missing\n`);
    },
  });
  return { fd, log, said };
}

describe('the log stream', () => {
  it('drops and counts what does not fit while the disk is full, and ends all the same', async () => {
    const { log } = openLog('/dev/full', constants.O_WRONLY);

    for (let n = 0; n < MANY; n++) log.write(LINE);
    await log.flush(10);

    expect(log.dropped).toBeGreaterThan(MANY / 2);
    expect(log.dropped).toBeLessThan(MANY);
  });

  it('writes on once it can, every line whole and in order, and says how many are missing', async () => {
    const path = join(createFolder(), 'pipe');
    execFileSync('mkfifo', [path]);
    // Both ends in this process; that it doesn't block makes a full pipe an error.
    const { fd, log, said } = openLog(path, constants.O_RDWR | constants.O_NONBLOCK);

    for (let n = 0; n < MANY; n++) log.write(`${n}${LINE}`);
    await log.flush(10);
    const { dropped } = log;
    const chunks: Buffer[] = [];
    const buffer = Buffer.alloc(65_536);
    const read = (): void => {
      try {
        for (;;) {
          const length = readSync(fd, buffer);
          chunks.push(Buffer.from(buffer.subarray(0, length)));
        }
      } catch (error) {
        expect(error).toMatchObject({ code: 'EAGAIN' });
      }
    };
    const reading = setInterval(read, 1);
    await log.flush(20_000);
    log.write('the last\n');
    await log.flush(20_000);
    clearInterval(reading);
    read();

    const lines = Buffer.concat(chunks).toString().trimEnd().split('\n');
    expect(dropped).toBeGreaterThan(0);
    expect(said).toEqual([dropped]);
    expect(lines.splice(-2)).toEqual([`${dropped} are missing`, 'the last']);
    expect(lines.length).toBe(MANY - dropped);
    expect(lines.filter((line, n) => line !== `${n}${LINE}`.trimEnd())).toEqual([]);
  });

  it('has nothing to wait for where nothing was written', async () => {
    const { log } = openLog('/dev/full', constants.O_WRONLY);

    await log.flush(20_000);

    expect(log.dropped).toBe(0);
  });
});
