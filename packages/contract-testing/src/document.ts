import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Something in a contract, references followed, and the JSON Pointer (RFC 6901) of where it is. */
export interface Place {
  readonly pointer: string;
  readonly value: JsonObject;
}

/** Reads a contract in YAML or JSON. */
export function readContractFile(path: string): JsonObject {
  const root = parseExact(readFileSync(path, 'utf8'));
  if (!isObject(root)) throw new Error(`${path} is no OpenAPI document: it must be an object`);
  return root;
}

/** The value of a YAML or JSON text; an integer that a double can't hold is a `bigint`. */
export function parseExact(text: string): unknown {
  const shrink = (_name: unknown, value: unknown): unknown =>
    typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
  return parse(text, shrink, { intAsBigInt: true });
}

/** A contract whose references to its own URI (OpenAPI 3.2.0 §4.1.1) say only where in it they lead. */
export function withLocalReferences(root: JsonObject): JsonObject {
  const own = `${String(root.$self)}#`;
  const localise = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(localise);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        name === '$ref' && typeof member === 'string' && member.startsWith(own)
          ? member.slice(own.length - 1)
          : localise(member),
      ]),
    );
  };
  return root.$self === undefined ? root : (localise(root) as JsonObject); // of an object comes an object
}

/**
 * The object under a name, at the place that it is or refers to; undefined where there is none.
 * @throws Error where a reference leads nowhere, or out of the document
 */
export function child(root: JsonObject, place: Place, name: string): Place | undefined {
  const value = place.value[name];
  return isObject(value) ? follow(root, { pointer: join(place.pointer, name), value }) : undefined;
}

/** Each object under a name, by its own name. */
export function children(root: JsonObject, place: Place, name: string): [string, Place][] {
  const parent = child(root, place, name);
  if (parent === undefined) return [];
  return Object.keys(parent.value).flatMap((key): [string, Place][] => {
    const found = child(root, parent, key);
    return found === undefined ? [] : [[key, found]];
  });
}

function follow(root: JsonObject, place: Place): Place {
  const { $ref } = place.value;
  if (typeof $ref !== 'string') return place;
  if (!$ref.startsWith('#')) {
    throw new Error(`${place.pointer}: ${$ref} leads out of the contract; bundle it into one file`);
  }
  const pointer = decodeURIComponent($ref.slice(1));
  const value = valueAt(root, pointer);
  if (!isObject(value)) throw new Error(`${place.pointer}: ${$ref} leads nowhere`);
  return follow(root, { pointer, value });
}

/** The value that a pointer leads to; undefined where it leads nowhere. */
export function valueAt(root: unknown, pointer: string): unknown {
  return steps(pointer).reduce(
    (value: unknown, step) => (isObject(value) ? value[step] : undefined),
    root,
  );
}

/** The pointer to what has this name under another pointer. */
export function join(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The names that a pointer leads through. */
export function steps(pointer: string): string[] {
  return pointer.split('/').slice(1).map(decode);
}

function decode(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** True for arrays as well, whose members a pointer names by their index. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}
