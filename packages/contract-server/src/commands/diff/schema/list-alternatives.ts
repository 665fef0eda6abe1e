import { isReference, type Schema } from '../../../document/document.js';
import { JSON_TYPES } from '../../../schema/types.js';
import { standFor } from '../change/place.js';
import type { Conjunction, FlatSchema } from './flat-schema.js';

/** A branch of `oneOf` or `anyOf`. */
export interface Alternative {
  /** Where it stands, such as `/oneOf/1`. */
  readonly pointer: string;
  readonly schema: Conjunction;
  /** The last of its reference, where it is one. */
  readonly name: string | undefined;
  /** Made of a schema that has no alternatives in one of the two contracts. */
  readonly isWhole: boolean;
}

const KEYWORDS = ['oneOf', 'anyOf'] as const;

/** The lists of alternatives that a schema has. */
export function listAlternatives({ atoms, of: { document } }: FlatSchema): Alternative[][] {
  return atoms.flatMap((atom) =>
    KEYWORDS.filter((keyword) => Array.isArray(atom[keyword])).map((keyword) =>
      (atom[keyword] as unknown[]).map((branch, index) => ({
        pointer: `/${keyword}/${index}`,
        schema: { document, parts: [branch] },
        name: isReference(branch) ? branch.$ref.split('/').at(-1) : undefined,
        isWhole: false,
      })),
    ),
  );
}

/**
 * A schema as one list of alternatives: those it has, each with all that is said beside them, or one
 * for each of its types.
 */
export function splitAlternatives(schema: FlatSchema): Alternative[] {
  const { document } = schema.of;
  const beside = schema.atoms.map(withoutAlternatives);
  const [alternatives] = listAlternatives(schema);
  if (alternatives !== undefined) {
    return alternatives.map((alternative) => ({
      ...alternative,
      schema: { document, parts: [...beside, ...alternative.schema.parts] },
    }));
  }
  return typesOf(schema).map((part) => ({
    pointer: '',
    schema: { document, parts: [...beside, part] },
    name: undefined,
    isWhole: true,
  }));
}

const stripped = new WeakMap<Schema, Schema>();

/** The same object for the same schema: see {@link Conjunction}. */
function withoutAlternatives(atom: Schema): Schema {
  const known = stripped.get(atom);
  if (known !== undefined) return known;
  const names = ['$ref', 'allOf', ...KEYWORDS];
  const rest = Object.fromEntries(Object.entries(atom).filter(([name]) => !names.includes(name)));
  stripped.set(atom, rest);
  standFor(rest, atom);
  return rest;
}

const ONE_TYPE = new Map(JSON_TYPES.map((type) => [type, { type }]));

/** A schema for each type, one for all numbers; one that says nothing where any type will do. */
function typesOf({ types }: FlatSchema): unknown[] {
  if (types.size === JSON_TYPES.length) return [true];
  return [...types]
    .filter((type) => type !== 'integer' || !types.has('number'))
    .map((type) => ONE_TYPE.get(type));
}
