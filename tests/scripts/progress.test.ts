import { afterEach, describe, expect, it } from '@jest/globals';
import type { Tally } from '../../scripts/import/import-rows.js';
import { howFar } from '../../scripts/import/summary.js';
import { startProgress, type Progress, type Screen } from '../../scripts/progress.js';

const TALLY: Tally = { accepted: 1200, refused: 30, failed: 4, sentAgain: 9, endByte: 250 };

let progress: Progress | undefined;

afterEach(() => progress?.end());

/** After two seconds of an import that has come a quarter of the way. */
function start(screen: Omit<Screen, 'write'>) {
  const written: string[] = [];
  let nowMs = 0;
  const write = (text: string) => written.push(text);
  progress = startProgress(
    { ...screen, write },
    (ms) => howFar(TALLY, 1000, ms),
    () => nowMs,
  );
  nowMs = 2000;
  return { written, progress };
}

describe('progress', () => {
  it('is a bar that is drawn over itself on a terminal', () => {
    const { written, progress } = start({ isTTY: true, columns: 100 });

    progress.show();
    progress.end();

    expect(written).toEqual([
      '\r\x1b[K[======                  ]  25 %  1,234 rows  617 rows/s  30 refused  4 failed',
      '\r\x1b[K',
    ]);
  });

  it('fits the terminal', () => {
    const { written, progress } = start({ isTTY: true, columns: 40 });

    progress.show();

    expect(written).toEqual(['\r\x1b[K[======                  ]  25 %  1,234']);
  });

  it('takes a terminal that does not know its width for one of 80 columns', () => {
    const { written, progress } = start({ isTTY: true, columns: 0 });

    progress.show();

    expect(written[0]).toMatch(/4 failed$/);
  });

  it('is a plain line elsewhere', () => {
    const { written, progress } = start({});

    progress.show();
    progress.say('something');
    progress.end();

    expect(written).toEqual([
      ' 25 %  1,234 rows  617 rows/s  30 refused  4 failed\n',
      'something\n',
    ]);
  });

  it('makes room on a terminal for what is said', () => {
    const { written, progress } = start({ isTTY: true });

    progress.say('something');

    expect(written).toEqual(['\r\x1b[Ksomething\n']);
  });
});
