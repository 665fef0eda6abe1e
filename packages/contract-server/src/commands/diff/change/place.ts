import type { ContractDocument } from '../../../document/document.js';
import { pointer } from '../../../json/pointer.js';

/** A part of a contract, with the contract in which its references lead somewhere. */
export interface Located<Value = unknown> {
  readonly document: ContractDocument;
  readonly value: Value;
}

const pointersOf = new WeakMap<ContractDocument, ReadonlyMap<object, string>>();
const originals = new WeakMap<object, object>();

/** The JSON Pointer of an object or list of a contract; undefined of anything else. */
export function placeOf(document: ContractDocument, value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const pointers = pointersOf.get(document) ?? listPointers(document);
  return pointers.get(originals.get(value) ?? value);
}

/** The same where both contracts have it at one place. */
export function commonPlace(old: Located, now: Located): string | undefined {
  const place = placeOf(now.document, now.value);
  return place === placeOf(old.document, old.value) ? place : undefined;
}

/** Whether a place is another one or in it. */
export function isWithin(outer: string | undefined, place: string | undefined): place is string {
  return outer !== undefined && `${place ?? ''}/`.startsWith(`${outer}/`);
}

/** Has a changed copy stand where the original does. */
export function standFor(copy: object, original: object): void {
  originals.set(copy, originals.get(original) ?? original);
}

function listPointers(document: ContractDocument): ReadonlyMap<object, string> {
  const pointers = new Map<object, string>();
  const list = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null || pointers.has(value)) return;
    pointers.set(value, place);
    for (const [name, member] of Object.entries(value)) list(member, place + pointer([name]));
  };
  list(document.root, '');
  pointersOf.set(document, pointers);
  return pointers;
}
