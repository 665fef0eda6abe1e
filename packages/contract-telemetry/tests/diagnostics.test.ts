import { Writable } from 'node:stream';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { createDiagnostics } from '../src/diagnostics.js';

let lines: Record<string, unknown>[];
let now: number;

beforeEach(() => {
  lines = [];
  now = 0;
});

function create(): ReturnType<typeof createDiagnostics> {
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  return createDiagnostics(pino(stream), () => now);
}

describe('createDiagnostics', () => {
  it('logs once a minute, with how often it was silent', () => {
    const diagnostics = create();

    for (; now < 180_000; now += 20_000) diagnostics.error('cannot be reached', 'ECONNREFUSED');

    expect(lines.map(({ level, problem, unsaid }) => [level, problem, unsaid])).toEqual([
      [40, 'cannot be reached ECONNREFUSED', undefined],
      [40, 'cannot be reached ECONNREFUSED', 2],
      [40, 'cannot be reached ECONNREFUSED', 2],
    ]);
  });

  it('cuts what is long', () => {
    create().warn('x'.repeat(10_000));

    expect(String(lines[0]?.problem)).toHaveLength(500);
  });
});
