import type { ContractDocument, Schema } from '../document/document.js';
import { mapNumbers } from '../json/numbers.js';
import type { Direction } from '../schema/direction.js';
import { CompileSteps } from './compile-steps.js';
import { NamedSchemas } from './named-schemas.js';
import { referenceTo } from './normalise/references.js';
import type { Exactness } from './normalise/rule.js';
import { reachedComponents, type Slice } from './slice.js';
import type { StandIns } from './stand-ins.js';

/** The path of a slice in the joined document; the router has already matched the real one. */
export const slicePath = (index: number): string => `/${index}`;
export const SLICE_METHOD = 'POST';
/** Under this status stands a slice's response, and the validator gets it under any. */
const SLICE_STATUS = 'default';

/** Slices of one direction that share a document. */
export interface SliceGroup {
  readonly direction: Direction;
  readonly slices: readonly Slice[];
  /** Whether they reach many components; the first is then compiled before all others, in one piece. */
  readonly isBroad: boolean;
}

/** The document of some slices, and what else of it can be compiled. */
export interface JoinedSlices {
  readonly document: object;
  /** The steps to take before a slice, by the indices of their paths. */
  readonly stepsBefore: (index: number) => Iterable<number>;
}

/**
 * The document of some slices: an operation for each, at its {@link slicePath}, that has but one
 * request or one response, so that the validator has no media type and no status to look for. Such a
 * request or response is a list of the slice's messages. Literals beyond 2^53 are what stands for them.
 * Behind the slices there is an operation for each of the {@link CompileSteps}.
 *
 * All schemas stand in one list. The validator gives it to Ajv, which knows each by its `$id` then
 * (`addSchema`), and whatever walks through the whole document, as the validator and Ajv do once for
 * each slice, doesn't go into the list.
 */
export function joinSlices(
  document: ContractDocument,
  { direction, slices, isBroad }: SliceGroup,
  standIns: StandIns,
): JoinedSlices {
  const schemas = new NamedSchemas();
  for (const [name, { schema, exact }] of reachedComponents(document, slices)) {
    schemas.addComponent(name, withStandIns(schema as Schema, [exact], standIns)); // they are objects
  }
  for (const [index, { schema, exact }] of slices.entries()) {
    schemas.add(sliceName(index), withStandIns(schema, exact, standIns));
  }
  const steps = new CompileSteps(schemas.all, isBroad ? sliceName(0) : undefined);
  const compiled = [...slices.keys()].map(sliceName).concat(...steps.all);
  const indices = new Map(compiled.map((name, index) => [name, index]));
  return {
    *stepsBefore(index) {
      for (const step of steps.before(sliceName(index))) yield indices.get(step) ?? index;
    },
    document: {
      // A normalised schema is one of 3.1, whatever the contract's version.
      openapi: '3.1.0',
      info: { title: '', version: '' },
      paths: Object.fromEntries(
        compiled.map((name, index) => [
          slicePath(index),
          { [SLICE_METHOD.toLowerCase()]: operationOf(direction, name) },
        ]),
      ),
      components: {
        schemas: {
          all: [...schemas.all].map(([name, schema]) => ({ $id: referenceTo(name), ...schema })),
        },
      },
    },
  };
}

/** No component is called so: their names start with a direction. */
const sliceName = (index: number): string => `slice_${index}`;

function withStandIns(schema: Schema, exact: readonly Exactness[], standIns: StandIns): Schema {
  if (exact.every(({ literals }) => literals.size === 0)) return schema;
  const mapped = mapNumbers(schema, (one) => (typeof one === 'bigint' ? standIns.of(one) : one));
  return mapped as Schema; // an object remains one
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
