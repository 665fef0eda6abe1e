import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { createSchemaComparison } from '../../../../src/commands/diff/schema/compare-schemas.js';
import { narrowsAny, widensAny } from '../../../../src/commands/diff/schema/difference.js';
import { parseContract } from '../../../../src/index.js';
import { contractOf } from '../row.js';

const TYPES = ['null', 'boolean', 'object', 'array', 'string', 'integer', 'number'];
const scalars = [null, true, false, '', 'a', 'ab', 'abc', -1, 0, 1, 1.5, 2, 3, 4];
const lists = [[], [1], ['a'], [1, 1], ['a', 1], [null, 'a'], ['a', 'b', 1], [[]], [{}]];
const members = [undefined, 'a', 'ab', 1, 1.5, null, [], {}, true];
const objects = members.flatMap((a) =>
  members.flatMap((b) =>
    [
      { a, b },
      { a, b, c: 1 },
    ].map(withoutUndefined),
  ),
);
const values: unknown[] = [...scalars, ...lists, ...objects, { a: { a: 1 } }, { b: ['a', 'ab'] }];

function withoutUndefined(value: object): object {
  return JSON.parse(JSON.stringify(value)) as object;
}

const small = fc.constantFrom(0, 1, 2, 3);

/** Both members are always named: one that is added counts as nothing, though it narrows. */
const { schema } = fc.letrec<{ schema: object | boolean }>((tie) => {
  const inner = tie('schema');
  const keyword = <Value>(name: string, value: fc.Arbitrary<Value>) =>
    value.map((one): [string, unknown] => [name, one]);
  const keywords = fc.oneof(
    keyword('type', fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 3 })),
    keyword('enum', fc.uniqueArray(fc.constantFrom(...scalars), { minLength: 1, maxLength: 4 })),
    keyword('minimum', small),
    keyword('exclusiveMinimum', small),
    keyword('maximum', small),
    keyword('exclusiveMaximum', small),
    keyword('multipleOf', fc.constantFrom(0.5, 1, 2, 4)),
    keyword('minLength', small),
    keyword('maxLength', small),
    keyword('pattern', fc.constantFrom('^a', 'b')),
    keyword('minItems', small),
    keyword('maxItems', small),
    keyword('uniqueItems', fc.boolean()),
    keyword('items', inner),
    keyword('prefixItems', fc.array(inner, { minLength: 1, maxLength: 2 })),
    keyword('minProperties', small),
    keyword('required', fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 })),
    keyword('additionalProperties', inner),
    keyword('propertyNames', inner),
    keyword('allOf', fc.array(inner, { minLength: 1, maxLength: 2 })),
    keyword('anyOf', fc.array(inner, { minLength: 1, maxLength: 3 })),
    keyword('not', inner),
  );
  const sparse = fc.array(keywords, { minLength: 1, maxLength: 3 });
  const object = fc.record({ a: inner, b: inner }, { noNullPrototype: true });
  return {
    schema: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc.boolean(),
      sparse.map((entries): object => Object.fromEntries(entries)),
      fc
        .tuple(sparse, object)
        .map(([entries, properties]): object => ({ ...Object.fromEntries(entries), properties })),
    ),
  };
});

/** Two schemas that have much in common. */
const pairs = fc
  .tuple(schema, schema, fc.boolean())
  .chain(([one, other, isMember]) =>
    fc.constantFrom<[unknown, unknown][]>(
      [one, other],
      [one, { allOf: [one, other] }],
      [one, { anyOf: [one, other] }],
      [{ anyOf: [one, other] }, { anyOf: [other] }],
      [{ not: one }, { not: { anyOf: [one, other] } }],
      isMember
        ? [{ properties: { a: one } }, { properties: { a: other } }]
        : [{ items: one }, { items: other }],
    ),
  );

const ajv = new Ajv2020({ strict: false, validateSchema: false });

/** Whether a schema, by a validator, admits each of the values. */
function admits(one: unknown): boolean[] {
  const validate = ajv.compile(one as object | boolean); // as generated
  return values.map((value) => validate(value));
}

describe('a comparison of schemas', () => {
  it('never overlooks that a value is no longer valid, or has become so', async () => {
    const document = await parseContract(contractOf({}));

    fc.assert(
      fc.property(
        fc.oneof(
          pairs,
          pairs.map(([old, now]) => [now, old] as const),
        ),
        ([old, now]) => {
          const differences = createSchemaComparison('request')(
            { document, parts: [old] },
            { document, parts: [now] },
          );
          fc.pre(!differences.some(({ what }) => what.endsWith('property added')));
          const before = admits(old);
          const after = admits(now);

          if (!narrowsAny(differences)) {
            expect(values.filter((_, i) => before[i] === true && after[i] !== true)).toEqual([]);
          }
          if (!widensAny(differences)) {
            expect(values.filter((_, i) => before[i] !== true && after[i] === true)).toEqual([]);
          }
        },
      ),
      { numRuns: 400, seed: 20_261_121 },
    );
  }, 60_000);
});
