import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseContract } from '../../src/index.js';
import { readJson } from '../../src/json/json.js';
import { listOperations } from '../../src/operation/operation.js';
import { createValidatorLookup } from '../../src/validation/validator.js';
import { contractOf } from '../support/fixture.js';
import {
  accepts,
  Digits,
  literalOf,
  textOf,
  type Exact,
  type ExactSchema,
} from '../support/exact-oracle.js';

const MEDIA_TYPE = 'application/json';
const SCHEMAS = 30;
const VALUES = 60;
const RUNS = Math.ceil(Number(process.env.FUZZ_RUNS ?? 300) / 100);
const SEED = Number(process.env.FUZZ_SEED ?? 1);

/** The integers where doubles, and the formats, go over from one to the next. */
const EDGES = [0n, 10n ** 18n, 2n ** 53n, 2n ** 63n, 2n ** 64n, 10n ** 30n]
  .flatMap((edge) => [-2n, -1n, 0n, 1n, 2n].map((step) => edge + step))
  .flatMap((edge) => [edge, -edge]);
const DECIMALS = ['19.99', '0.07', '4.35', '-8.2', '1e-7', '3e-7', '0.5', '7.5', '1e22', '0.005'];

const digits = fc
  .oneof(
    { weight: 4, arbitrary: fc.constantFrom(...EDGES).map(String) },
    { weight: 1, arbitrary: fc.bigInt(-(10n ** 25n), 10n ** 25n).map(String) },
    { weight: 2, arbitrary: fc.constantFrom(...DECIMALS) },
  )
  .map((text) => new Digits(text));

const { value } = fc.letrec<{ value: Exact }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 3, arbitrary: digits },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
    { weight: 1, arbitrary: tie('value').map((a) => ({ a })) },
  ),
}));

const factors = fc
  .constantFrom('0.01', '0.1', '7.5', '1e-7', '3', '5', String(10n ** 18n), String(2n ** 53n + 1n))
  .map((text) => new Digits(text));
const one = (keyword: string, said: fc.Arbitrary<unknown>): fc.Arbitrary<ExactSchema> =>
  said.map((literal) => ({ [keyword]: literal }));

const { schema } = fc.letrec<{ schema: ExactSchema }>((tie) => {
  const inner = tie('schema');
  const some = fc.array(inner, { minLength: 1, maxLength: 3 });
  return {
    schema: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      one('minimum', digits),
      one('maximum', digits),
      one('exclusiveMinimum', digits),
      one('exclusiveMaximum', digits),
      one('multipleOf', factors),
      one('const', value),
      one('enum', fc.array(value, { minLength: 1, maxLength: 4 })),
      fc.constantFrom<ExactSchema>(
        { type: 'integer' },
        { type: 'integer', format: 'int64' },
        { uniqueItems: true },
      ),
      fc
        .tuple(one('minimum', digits), one('maximum', digits), one('multipleOf', factors))
        .map((parts) => Object.fromEntries(parts.flatMap((part) => Object.entries(part)))),
      one('items', inner),
      one('contains', inner),
      one('properties', fc.record({ a: inner })),
      one('allOf', some),
      one('anyOf', some),
      one('oneOf', some),
      one('not', inner),
      fc.record({ if: inner, then: inner, else: inner }),
    ),
  };
});

it('gives the verdicts of a judge that knows no doubles', async () => {
  const bodies = fc.array(fc.tuple(...Array.from({ length: SCHEMAS }, () => value)), {
    minLength: VALUES,
    maxLength: VALUES,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(schema, { minLength: SCHEMAS, maxLength: SCHEMAS }),
      bodies,
      async (schemas, all) => {
        const judge = await createJudge(schemas);
        for (const values of all) {
          const refused = await judge(values);
          for (const [at, each] of schemas.entries()) {
            const given = values[at] ?? new Digits('0');
            expect({
              schema: JSON.stringify(each),
              value: textOf(given),
              isRefused: refused.has(at),
            }).toEqual({
              schema: JSON.stringify(each),
              value: textOf(given),
              isRefused: !accepts(each, given),
            });
          }
        }
      },
    ),
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  );
}, 3_600_000);

/** Judges one value by each schema, all in one body; says by which of them it is refused. */
async function createJudge(
  schemas: readonly ExactSchema[],
): Promise<(values: readonly Exact[]) => Promise<ReadonlySet<number>>> {
  const properties = schemas.map((each, at) => [`s${at}`, toContract(each)] as const);
  const content = {
    [MEDIA_TYPE]: { schema: { type: 'object', properties: Object.fromEntries(properties) } },
  };
  const responses = { default: { description: '' } };
  const post = { operationId: 'post', requestBody: { required: true, content }, responses };
  const document = await parseContract(contractOf({ '/': { post } }));
  const [operation, ...others] = listOperations(document);
  if (operation === undefined) throw new Error('the contract has an operation');
  const validatorOf = await createValidatorLookup(document, [operation, ...others]);
  const validator = await validatorOf(operation);
  return async (values) => {
    const text = values.map((one, at) => `"s${at}":${textOf(one)}`).join();
    const { value: body, integers } = readJson(`{${text}}`);
    const problems = await validator.validateRequest({
      mediaType: MEDIA_TYPE,
      value: { path: {}, query: {}, header: {}, cookie: {}, body },
      integers: { body: integers },
    });
    return new Set(problems.map(({ pointer }) => Number(/^\/body\/s(\d+)/.exec(pointer)?.[1])));
  };
}

function toContract(said: unknown): unknown {
  if (said instanceof Digits) return literalOf(said);
  if (Array.isArray(said)) return said.map(toContract);
  if (typeof said !== 'object' || said === null) return said;
  return Object.fromEntries(
    Object.entries(said).map(([name, member]) => [name, toContract(member)]),
  );
}
