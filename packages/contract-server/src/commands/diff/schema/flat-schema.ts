import type { ContractDocument, Schema } from '../../../document/document.js';
import { conjunctsOf } from '../../../schema/traversal.js';
import {
  constantsOf,
  declaredTypes,
  JSON_TYPES,
  typeOfValue,
  withIntegers,
  type JsonType,
} from '../../../schema/types.js';

/**
 * A schema, as parts that must all hold. The parts are objects of the document, never copies: there
 * are only so many sets of them, which is what ends the comparison of recursive schemas.
 */
export interface Conjunction {
  readonly document: ContractDocument;
  readonly parts: readonly unknown[];
}

const ids = new WeakMap<object, number>();
let lastId = 0;

function idOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const id = ids.get(value) ?? ++lastId;
  ids.set(value, id);
  return String(id);
}

/** The same text for the same parts of the same document. */
export function keyOf(document: ContractDocument, parts: readonly unknown[]): string {
  return `${idOf(document)}:${[...new Set(parts.map(idOf))].sort().join(',')}`;
}

/** A schema with its references and its `allOf` written out. */
export interface FlatSchema {
  readonly of: Conjunction;
  /** All of them hold. Their own `$ref` and `allOf` are to be passed over. */
  readonly atoms: readonly Schema[];
  /** The types that a value may have, where `number` is for fractions; none where no value is valid. */
  readonly types: ReadonlySet<JsonType>;
  /** The values that `enum` and `const` leave; undefined where they say nothing. */
  readonly values: readonly unknown[] | undefined;
}

/** @throws ContractError where a reference leads nowhere */
export function flatten(conjunction: Conjunction): FlatSchema {
  const { document, parts } = conjunction;
  const atoms = [...new Set(parts.flatMap((part) => conjunctsOf(document, part)))];
  const declared = atoms.map((atom) => withIntegers(declaredTypes(document, atom) ?? JSON_TYPES));
  const types = JSON_TYPES.filter((type) => declared.every((some) => some.has(type)));
  const values = constantsOf(atoms)?.filter((value) => types.includes(typeOfValue(value)));
  return {
    of: conjunction,
    atoms,
    types: new Set(values === undefined ? types : values.map(typeOfValue)),
    values,
  };
}
