import { isDeepStrictEqual } from 'node:util';
import type { ContractDocument } from '../../../index.js';
import type { Conjunction } from './conjunction.js';
import { isObject, isReference, type Schema } from '../../../document/document.js';

/** JSON's types; `number` stands for the numbers that are no integers. */
export type TypeName = 'null' | 'boolean' | 'object' | 'array' | 'string' | 'integer' | 'number';

export const EVERY_TYPE: readonly TypeName[] = [
  'null',
  'boolean',
  'object',
  'array',
  'string',
  'integer',
  'number',
];

/** A schema with its references and its `allOf` written out. */
export interface FlatSchema {
  readonly of: Conjunction;
  /** All of them hold. Their own `$ref` and `allOf` are to be passed over. */
  readonly atoms: readonly Schema[];
  /** The types that a value may have; none where no value is valid. */
  readonly types: ReadonlySet<TypeName>;
  /** The values that `enum` and `const` leave; undefined where they say nothing. */
  readonly values: readonly unknown[] | undefined;
}

/** The schema that no value satisfies, `false`, as an object. */
const NOTHING: Schema = { type: [] };

/** @throws ContractError where a reference leads nowhere */
export function flatten(conjunction: Conjunction): FlatSchema {
  const atoms = new Set<Schema>();
  for (const part of conjunction.parts) collectAtoms(conjunction.document, part, atoms, new Set());
  const declared = [...atoms].map((atom) => typesOf(atom));
  const types = EVERY_TYPE.filter((type) => declared.every((some) => some.has(type)));
  const values = valuesOf([...atoms])?.filter((value) => types.includes(typeOfValue(value)));
  return {
    of: conjunction,
    atoms: [...atoms],
    types: new Set(values === undefined ? types : values.map(typeOfValue)),
    values,
  };
}

function collectAtoms(
  document: ContractDocument,
  part: unknown,
  atoms: Set<Schema>,
  seen: Set<unknown>,
): void {
  if (part === false) atoms.add(NOTHING);
  if (!isObject(part) || seen.has(part)) return;
  seen.add(part);
  if (isReference(part)) {
    collectAtoms(document, document.lookUp(part.$ref), atoms, seen);
    if (document.hasOnlyReference(part) || Object.keys(part).length === 1) return;
  }
  const { allOf }: Schema = part;
  if (Array.isArray(allOf)) {
    for (const member of allOf) collectAtoms(document, member, atoms, seen);
  }
  atoms.add(part);
}

function typesOf({ type, nullable }: Schema): ReadonlySet<TypeName> {
  if (type === undefined) return new Set(EVERY_TYPE);
  const names: unknown[] = Array.isArray(type) ? [...(type as unknown[])] : [type];
  if (nullable === true) names.push('null'); // OpenAPI 3.0.3 §4.7.24.1: only beside a type
  if (names.includes('number')) names.push('integer');
  return new Set(EVERY_TYPE.filter((name) => names.includes(name)));
}

function valuesOf(atoms: readonly Schema[]): readonly unknown[] | undefined {
  const lists = atoms.flatMap((atom): unknown[][] => [
    ...(Array.isArray(atom.enum) ? [atom.enum as unknown[]] : []),
    ...('const' in atom ? [[atom.const]] : []),
  ]);
  return lists.length === 0 ? undefined : lists.reduce(intersect);
}

function intersect(some: unknown[], others: unknown[]): unknown[] {
  return some.filter((value) => others.some((other) => isDeepStrictEqual(value, other)));
}

function typeOfValue(value: unknown): TypeName {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value === 'boolean' || typeof value === 'string'
    ? (typeof value as 'boolean' | 'string')
    : 'object';
}
