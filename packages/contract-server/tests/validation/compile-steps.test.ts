import { describe, expect, it } from '@jest/globals';
import type { Schema } from '../../src/document/document.js';
import { CompileSteps } from '../../src/validation/compile-steps.js';
import { MAX_TURN_BYTES, sizeOf } from '../../src/validation/named-schemas.js';

/** A schema of about 700 bytes that refers to others. */
const schemaOf = (...names: readonly string[]): Schema => ({
  description: 'a'.repeat(700),
  properties: Object.fromEntries(names.map((name) => [name, { $ref: `#${name}` }])),
});

const nothing: readonly string[] = [];

/** Each refers to the two after it, the last to what has no references. */
const chain = new Map([
  ...Array.from(
    { length: 20 },
    (_, index) => [`c${index}`, schemaOf(`c${index + 1}`, `c${index + 2}`)] as const,
  ),
  ['c20', schemaOf('c21')],
  ['c21', schemaOf()],
]);

/** What is compiled with each schema in turn, as long as the names are in the order of compiling. */
function compile(schemas: ReadonlyMap<string, Schema>, names: Iterable<string>): string[][] {
  const compiled = new Set<string>();
  const reach = (name: string): string[] => {
    if (compiled.has(name)) return [];
    compiled.add(name);
    const { properties = {} } = schemas.get(name) ?? {};
    return [name, ...Object.keys(properties as object).flatMap(reach)];
  };
  return [...names].map(reach);
}

describe('steps', () => {
  it('have no more compiled at once than a turn allows', () => {
    const steps = new CompileSteps(chain, undefined);

    const compiled = compile(chain, [...steps.before('c0'), 'c0']);

    const sizes = compiled.map((names) =>
      names.reduce((total, name) => total + sizeOf(chain.get(name)), 0),
    );
    expect(compiled.flat().sort()).toEqual([...chain.keys()].sort());
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_TURN_BYTES);
  });

  it('are taken once, whatever needs them', () => {
    const steps = new CompileSteps(chain, undefined);

    const first = [...steps.before('c4')];
    const then = [...steps.before('c0')];

    expect(first.length).toBeGreaterThan(0);
    expect(then.length).toBeGreaterThan(0);
    expect(then.filter((name) => first.includes(name))).toEqual(nothing);
    expect([...steps.before('c0')]).toEqual(nothing);
  });

  it('are none to what is compiled with the first', () => {
    expect(new CompileSteps(chain, 'c0').all.size).toBe(0);
    expect([...new CompileSteps(chain, 'c19').before('c19')]).toEqual(nothing);
  });

  it('are taken once for schemas that refer to each other', () => {
    const names = Array.from({ length: 9 }, (_, index) => `c${index}`);
    const cycle = new Map(
      names.map((name, index) => [name, schemaOf(names[(index + 1) % names.length] ?? name)]),
    );
    const steps = new CompileSteps(new Map([...cycle, ['root', schemaOf('c0')]]), undefined);

    expect([...steps.before('root')]).toHaveLength(1);
  });
});
