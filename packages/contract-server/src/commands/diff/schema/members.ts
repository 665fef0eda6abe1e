import { isObject, type Schema } from '../../../document/document.js';
import { isHidden, type Direction } from '../../../schema/direction.js';
import type { Conjunction, FlatSchema } from './flat-schema.js';

/** The members that an object may have, when it travels in one direction. */
export interface Members {
  /** Of the object. */
  readonly schema: FlatSchema;
  readonly named: ReadonlyMap<string, Conjunction>;
  readonly patterns: ReadonlyMap<string, Conjunction>;
  /** Without parts where the schema says nothing of other members. */
  readonly others: Conjunction;
  readonly anything: Conjunction;
  readonly required: ReadonlySet<string>;
  /** Those that don't travel in this direction. */
  readonly hidden: ReadonlySet<string>;
}

export function membersOf(schema: FlatSchema, direction: Direction): Members {
  const { atoms, of } = schema;
  const conjunction = (parts: readonly unknown[]): Conjunction => ({
    document: of.document,
    parts: parts.filter((part) => part !== undefined),
  });
  const named = new Map<string, Conjunction>();
  const hidden = new Set<string>();
  for (const name of namesIn(atoms, 'properties')) {
    // `additionalProperties` is about the names that its own schema object doesn't have.
    const parts = atoms.map((atom) => entryOf(atom.properties, name) ?? atom.additionalProperties);
    const member = conjunction(parts);
    if (member.parts.some((part) => isHidden(of.document, part, direction))) hidden.add(name);
    else named.set(name, member);
  }
  const required = atoms.flatMap(({ required: names }): unknown[] =>
    Array.isArray(names) ? names : [],
  );
  return {
    schema,
    named,
    hidden,
    patterns: new Map(
      namesIn(atoms, 'patternProperties').map((pattern) => [
        pattern,
        conjunction(atoms.map((atom) => entryOf(atom.patternProperties, pattern))),
      ]),
    ),
    others: conjunction(
      atoms.flatMap((atom) => [atom.additionalProperties, atom.unevaluatedProperties]),
    ),
    anything: conjunction([]),
    required: new Set(required.map(String).filter((name) => !hidden.has(name))),
  };
}

function namesIn(atoms: readonly Schema[], keyword: string): string[] {
  return [
    ...new Set(atoms.flatMap(({ [keyword]: map }) => (isObject(map) ? Object.keys(map) : []))),
  ];
}

/** What a keyword that is a map, such as `properties`, says of a name. */
export function entryOf(map: unknown, name: string): unknown {
  return isObject(map) && Object.hasOwn(map, name) ? map[name] : undefined;
}
