import { describe, expect, it } from '@jest/globals';
import { selfTimes, type CpuProfile } from '../../../../scripts/bench/profile/self-times.js';

const node = (id: number, functionName: string, url: string, children: number[] = []) => ({
  id,
  callFrame: { functionName, url, lineNumber: 0 },
  children,
});

const PROFILE: CpuProfile = {
  nodes: [
    node(1, '(root)', '', [2, 3, 4, 7]),
    node(2, '(idle)', ''),
    node(3, '(garbage collector)', ''),
    node(4, 'emit', 'node:events', [5]),
    node(5, 'check', 'file:///a/node_modules/express-openapi-validator/dist/check.js', [6]),
    node(6, 'validate1', ''),
    node(7, 'commit', 'file:///a/dist/src/plants/store.js', [8]),
    node(8, 'run', ''),
  ],
  samples: [2, 3, 4, 5, 6, 8, 2],
  timeDeltas: [1, 100, 10, 20, 30, 40, 50],
};

describe('selfTimes', () => {
  it('counts what is built in or generated as part of what called it', () => {
    const { groups } = selfTimes(PROFILE);

    expect(Object.fromEntries(groups)).toEqual({
      'garbage collector': 10,
      node: 20,
      validator: 70,
      store: 50,
    });
  });

  it('leaves idling out of all sums, and says its share', () => {
    const { functions, idleShare } = selfTimes(PROFILE);

    expect(idleShare).toBe(100 / 250);
    expect([...functions.keys()]).not.toContain('(idle)');
  });

  it('names functions by file and line, most time first', () => {
    const { functions } = selfTimes(PROFILE);

    expect([...functions].slice(0, 2)).toEqual([
      ['run, store', 50],
      ['validate1, validator', 40],
    ]);
    expect(functions.get('check, express-openapi-validator/dist/check.js:1')).toBe(30);
  });
});
