import type { ContractDocument, Schema } from '../../../document/document.js';
import { isBareReference } from '../../../schema/traversal.js';
import { placeOf } from '../change/place.js';
import type { Conjunction, FlatSchema } from './flat-schema.js';

/** How a schema has changed at one place. Where neither way, clients may want to know all the same. */
export interface Difference {
  /**
   * The JSON Pointer of the innermost schema around it that both contracts have at one place;
   * undefined where that is further out than what was compared.
   */
  readonly place: string | undefined;
  /** A JSON Pointer from there, as if every `$ref` and `allOf` on the way were written out. */
  readonly pointer: string;
  readonly what: string;
  /** Some values are no longer valid. */
  readonly narrows: boolean;
  /** Some values have become valid. */
  readonly widens: boolean;
  /** Strictly it narrows; but the old contract didn't say what the new member may be. */
  readonly isNewMember?: true;
  /** Why it counts as it does, where that isn't plain from the above. */
  readonly why?: string;
  /** The comparison that found it: the same for the same difference, wherever it is met. */
  readonly origin?: string;
}

/** Compares two schemas; the comparison of a schema is given it for the schemas inside. */
export type Compare = (old: Conjunction, now: Conjunction) => readonly Difference[];

/** Compares what two schemas say, beside their alternatives. */
export type CompareFlat = (old: FlatSchema, now: FlatSchema) => Difference[];

/**
 * The place of what has changed: of the schema that both contracts have there and that isn't the same,
 * or else of the one that puts these together from others. Undefined where they have that at two places.
 */
export function changedPlace(
  old: FlatSchema,
  now: FlatSchema,
  hasChanged: (was: Schema, is: Schema) => boolean,
): string | undefined {
  const before = new Map(old.atoms.map((atom) => [placeOf(old.of.document, atom), atom]));
  for (const is of now.atoms) {
    const place = placeOf(now.of.document, is);
    const was = before.get(place);
    if (was !== undefined && hasChanged(was, is)) return place;
  }
  const was = new Set(old.of.parts.flatMap((part) => placesOf(old.of.document, part)));
  return now.of.parts
    .map((part) => placesOf(now.of.document, part).findLast((place) => was.has(place)))
    .find((place) => place !== undefined);
}

/** The places of a schema that may be nothing but a reference, and of what that refers to. */
function placesOf(document: ContractDocument, schema: unknown): readonly string[] {
  const places = new Set<string>();
  let one = schema;
  for (;;) {
    const place = placeOf(document, one);
    if (place === undefined || places.has(place)) return [...places]; // a boolean has none
    places.add(place);
    if (!isBareReference(document, one)) return [...places];
    one = document.lookUp(one.$ref);
  }
}

/** The same differences, seen from further up; those that have no place yet get one. */
export function under(
  pointer: string,
  differences: readonly Difference[],
  place: () => string | undefined,
): readonly Difference[] {
  if (differences.every((difference) => difference.place !== undefined)) return differences;
  const outer = place();
  return differences.map((difference) =>
    difference.place === undefined
      ? { ...difference, place: outer, pointer: pointer + difference.pointer }
      : difference,
  );
}

export function narrowsAny(differences: readonly Difference[]): boolean {
  return differences.some(({ narrows }) => narrows);
}

/** The same for where a schema stands in for another: there a new member does count. */
export function narrowsStrictly(differences: readonly Difference[]): boolean {
  return differences.some(({ narrows, isNewMember }) => narrows || isNewMember);
}

export function widensAny(differences: readonly Difference[]): boolean {
  return differences.some(({ widens }) => widens);
}
