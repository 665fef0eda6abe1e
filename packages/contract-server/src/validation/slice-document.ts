import type { ContractDocument, Schema } from '../document/document.js';
import { reachedComponents, type Slice } from './slice.js';

/** The path of a slice in the joined document; the router has already matched the real one. */
export const slicePath = (index: number): string => `/${index}`;
export const SLICE_METHOD = 'POST';
/** The status under which a slice's response stands. */
export const SLICE_STATUS = 200;

/**
 * The document of some slices: an operation for each, at its {@link slicePath}, that has but one
 * request or one response, so that the validator has no media type and no status to look for.
 */
export function joinSlices(document: ContractDocument, some: readonly Slice[]): object {
  const components = [...reachedComponents(document, some)];
  return {
    // A normalised schema is one of 3.1, whatever the contract's version.
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: Object.fromEntries(
      some.map((slice, index) => [
        slicePath(index),
        { [SLICE_METHOD.toLowerCase()]: operationOf(slice) },
      ]),
    ),
    components: {
      schemas: Object.fromEntries(
        components.map(([name, { schema }]) => [name, closed(schema as Schema)]), // components are objects
      ),
    },
  };
}

function operationOf({ direction, schema }: Slice): object {
  const media = { schema: closed(schema) };
  if (direction === 'request') {
    return { requestBody: { required: true, content: { '*/*': media } }, responses: {} };
  }
  return {
    responses: { [SLICE_STATUS]: { description: '', content: { 'application/json': media } } },
  };
}

/**
 * The validator looks into every schema, and compiles all that those refer to, only to rewrite what
 * {@link Normaliser} has written already. Where there is an `allOf` it looks nowhere else.
 */
function closed(schema: Schema): Schema {
  return { allOf: [], ...schema };
}
