import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { runtimeProblem } from '../src/runtime.js';

describe('runtimeProblem', () => {
  it.each(['20.19.0', '20.20.2', '22.0.0', '24.21.0', '26.10.0'])(
    'finds none in Node %s',
    (node) => {
      expect(runtimeProblem({ node })).toBeUndefined();
    },
  );

  it.each([
    [{ node: '18.20.8' }, 'Node.js 18.20.8'],
    [{ node: '20.18.3' }, 'Node.js 20.18.3'],
    [{ node: '24.3.0', bun: '1.3.1' }, 'Bun 1.3.1'],
    [{ node: '24.2.0', deno: '2.5.0' }, 'Deno 2.5.0'],
  ])('says of %o what would be right', (versions, found) => {
    const problem = runtimeProblem(versions);

    expect(problem).toBe(`Plant Store needs Node.js 20.19 or newer; this is ${found}`);
  });

  it('asks for what package.json asks for', () => {
    const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      engines: { node: string };
    };

    expect(engines.node).toBe('>=20.19');
    expect(runtimeProblem({ node: '0.0.0' })).toContain('needs Node.js 20.19 or newer');
  });
});
