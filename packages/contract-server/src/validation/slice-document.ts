import { serialize } from 'node:v8';
import type { ContractDocument, Schema } from '../document/document.js';
import { mapNumbers } from '../json/numbers.js';
import type { Direction } from '../schema/direction.js';
import { listOf } from '../schema/traversal.js';
import { referenceTo } from './normalise/references.js';
import type { Exactness } from './normalise/rule.js';
import { reachedComponents, type Slice } from './slice.js';
import type { StandIns } from './stand-ins.js';

/** The path of a slice in the joined document; the router has already matched the real one. */
export const slicePath = (index: number): string => `/${index}`;
export const SLICE_METHOD = 'POST';
/** Under this status stands a slice's response, and the validator gets it under any. */
const SLICE_STATUS = 'default';

/**
 * The document of some slices: an operation for each, at its {@link slicePath}, that has but one
 * request or one response, so that the validator has no media type and no status to look for. Such a
 * request or response is a list of the slice's messages. Literals beyond 2^53 are what stands for them.
 *
 * All schemas stand in one list. The validator gives it to Ajv, which knows each by its `$id` then
 * (`addSchema`), and whatever walks through the whole document, as the validator and Ajv do once for
 * each slice, doesn't go into the list.
 */
export function joinSlices(
  document: ContractDocument,
  some: readonly Slice[],
  standIns: StandIns,
): object {
  const isResponse = some.every(({ direction }) => direction === 'response');
  const components = [...reachedComponents(document, some)].map(([name, { schema, exact }]) => {
    const own = withStandIns(schema as Schema, [exact], standIns); // components are objects
    return named(name, isResponse && isLarge(own) ? compiledAlone(own) : own);
  });
  const schemas = [
    ...components,
    ...some.map(({ schema, exact }, index) =>
      named(sliceName(index), withStandIns(schema, exact, standIns)),
    ),
    named(ANYTHING, {}),
  ];
  return {
    // A normalised schema is one of 3.1, whatever the contract's version.
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: Object.fromEntries(
      some.map(({ direction }, index) => [
        slicePath(index),
        { [SLICE_METHOD.toLowerCase()]: operationOf(direction, sliceName(index)) },
      ]),
    ),
    components: { schemas: { all: schemas } },
  };
}

/** No component is called so: their names start with a direction. */
const sliceName = (index: number): string => `slice_${index}`;

/** No component is called so either. */
const ANYTHING = 'anything';

const named = (name: string, schema: Schema): Schema => ({ $id: referenceTo(name), ...schema });

function withStandIns(schema: Schema, exact: readonly Exactness[], standIns: StandIns): Schema {
  if (exact.every(({ literals }) => literals.size === 0)) return schema;
  const mapped = mapNumbers(schema, (one) => (typeof one === 'bigint' ? standIns.of(one) : one));
  return mapped as Schema; // an object remains one
}

/** More than an object with a few members. */
const LARGE_BYTES = 500;

function isLarge(schema: Schema): boolean {
  return serialize(schema).byteLength > LARGE_BYTES;
}

/**
 * Ajv copies a schema without references into each that refers to it (`inlineRefs`), which multiplies what
 * there is to compile; with a reference it is compiled by itself. Not so in requests, whose defaults Ajv
 * doesn't fill in where a copy stands below `anyOf`.
 */
function compiledAlone(schema: Schema): Schema {
  return { ...schema, allOf: [{ $ref: referenceTo(ANYTHING) }, ...listOf(schema.allOf)] };
}

function operationOf(direction: Direction, name: string): object {
  const schema = { type: 'array', items: { $ref: referenceTo(name) }, ...CLOSED };
  if (direction === 'request') {
    return { requestBody: { required: true, content: { '*/*': { schema } } } };
  }
  return {
    responses: { [SLICE_STATUS]: { description: '', content: { 'application/json': { schema } } } },
  };
}

/**
 * The validator looks into a schema, and compiles all that it refers to, only to rewrite what the
 * normaliser has written already. Where there is an `allOf` it looks nowhere else.
 */
const CLOSED = { allOf: [] };
