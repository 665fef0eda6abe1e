import type { ContractDocument } from '../../index.js';
import type { Direction } from '../../schema/direction.js';
import type { OperationChange } from './schema/change.js';
import { createSchemaComparison } from './schema/compare-schemas.js';
import type { Compare } from './schema/comparison.js';
import type { Difference } from './schema/difference.js';

/** A schema, or nothing, in the contract in which its references lead somewhere. */
export interface SchemaIn {
  readonly document: ContractDocument;
  readonly schema: unknown;
}

/** Compares the schemas of one place; what they say is judged by which way the values travel. */
export type DiffSchemas = (
  direction: Direction,
  location: string,
  old: SchemaIn,
  now: SchemaIn,
) => OperationChange[];

/** One for both contracts as a whole, since most schemas are in many places. */
export function createSchemaDiff(): DiffSchemas {
  const comparisons: Readonly<Record<Direction, Compare>> = {
    request: createSchemaComparison('request'),
    response: createSchemaComparison('response'),
  };
  return (direction, location, old, now) =>
    comparisons[direction](toConjunction(old), toConjunction(now)).map((difference) => ({
      breaks: breaksClients(direction, difference),
      location: difference.pointer === '' ? location : `${location} ${difference.pointer}`,
      what: difference.what,
      why: difference.why ?? reasonOf(direction, difference),
    }));
}

function toConjunction({ document, schema }: SchemaIn) {
  return { document, parts: schema === undefined ? [] : [schema] };
}

function breaksClients(direction: Direction, { narrows, widens }: Difference): boolean {
  return direction === 'request' ? narrows : widens;
}

function reasonOf(direction: Direction, difference: Difference): string {
  if (direction === 'request') {
    return difference.narrows
      ? 'requests that were valid are refused'
      : 'every request that was valid still is';
  }
  return difference.widens
    ? 'clients may get what they were not told of'
    : 'clients get nothing that they were not told of';
}
