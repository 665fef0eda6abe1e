import { isObject, type ContractDocument, type Schema } from '../document/document.js';
import { appliedSchemas, listOf } from '../schema/traversal.js';
import { constantsOf, typesOf, unionOf, type JsonType } from '../schema/types.js';
import { createScalarReader, type ReadScalar } from './scalar.js';

/** How a parameter's texts are read, by its schema; found once, at boot. */
export interface Shape {
  readonly isScalar: boolean;
  readonly isArray: boolean;
  readonly isObject: boolean;
  readonly readScalar: ReadScalar;
  readonly itemAt: (index: number) => Shape;
  readonly members: ReadonlyMap<string, Shape>;
  readonly memberOf: (name: string) => Shape;
  /** Whether it admits members that it doesn't name; undefined where no schema says, which admits them. */
  readonly isOpen: boolean | undefined;
  /** Whether the empty string is one of its values. */
  readonly admitsEmptyString: boolean;
}

const SCALARS: readonly JsonType[] = ['boolean', 'integer', 'number', 'string'];

/** The shapes of a contract, by the schemas that give them: a schema that is inside itself has one shape. */
interface ShapeNode {
  shape?: Shape;
  readonly next: Map<unknown, ShapeNode>;
}
const shapes = new WeakMap<ContractDocument, ShapeNode>();

/**
 * The shape that any of these schemas gives a value. A schema that says nothing of types describes
 * strings, which is what a parameter's text is.
 */
export function createShape(document: ContractDocument, schemas: readonly unknown[]): Shape {
  let node = shapes.get(document) ?? { next: new Map<unknown, ShapeNode>() };
  shapes.set(document, node);
  for (const schema of new Set(schemas)) {
    const next: ShapeNode = node.next.get(schema) ?? { next: new Map<unknown, ShapeNode>() };
    node.next.set(schema, next);
    node = next;
  }
  return (node.shape ??= makeShape(document, schemas));
}

function makeShape(document: ContractDocument, schemas: readonly unknown[]): Shape {
  const types = unionOf(
    schemas.map((schema) => typesOf(document, schema)).filter((said) => said !== undefined),
  );
  if (types.size === 0) types.add('string');
  const flat = schemas.flatMap((schema) => appliedSchemas(document, schema));
  const inner = (found: readonly unknown[]): Shape => createShape(document, found);

  const isArray = types.has('array');
  const isObject = types.has('object');
  // What is inside is looked at when a value has it, since a schema may be inside itself.
  const items = lazily(() => (isArray ? itemsOf(flat, inner) : []));
  const otherItems = lazily(() => (isArray ? inner(valuesAt(flat, 'items')) : STRING));
  const members = lazily(() => (isObject ? membersOf(flat, inner) : new Map<string, Shape>()));
  const otherMembers = lazily(() =>
    isObject ? inner(valuesAt(flat, 'additionalProperties')) : STRING,
  );
  return {
    isScalar: SCALARS.some((type) => types.has(type)),
    isArray,
    isObject,
    readScalar: createScalarReader(types),
    itemAt: (index) => items()[index] ?? otherItems(),
    get members() {
      return members();
    },
    memberOf: (name) => members().get(name) ?? otherMembers(),
    isOpen: isOpen(flat),
    admitsEmptyString: types.has('string') && flat.every(admitsEmptyString),
  };
}

function lazily<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}

/** Any text, as it is. */
const STRING: Shape = {
  isScalar: true,
  isArray: false,
  isObject: false,
  readScalar: (text) => text,
  itemAt: () => STRING,
  members: new Map(),
  memberOf: () => STRING,
  isOpen: false,
  admitsEmptyString: true,
};

type Inner = (schemas: readonly unknown[]) => Shape;

function valuesAt(flat: readonly Schema[], keyword: string): unknown[] {
  return flat.map((schema) => schema[keyword]).filter((value) => value !== undefined);
}

function itemsOf(flat: readonly Schema[], inner: Inner): Shape[] {
  const tuples = flat.map(({ prefixItems }) => listOf(prefixItems));
  const length = Math.max(0, ...tuples.map((tuple) => tuple.length));
  return Array.from({ length }, (_, index) =>
    inner(tuples.filter((tuple) => index < tuple.length).map((tuple) => tuple[index])),
  );
}

function membersOf(flat: readonly Schema[], inner: Inner): Map<string, Shape> {
  const schemas = new Map<string, unknown[]>();
  for (const properties of valuesAt(flat, 'properties').filter(isObject)) {
    for (const [name, schema] of Object.entries(properties)) {
      schemas.set(name, [...(schemas.get(name) ?? []), schema]);
    }
  }
  return new Map([...schemas].map(([name, found]) => [name, inner(found)]));
}

function isOpen(flat: readonly Schema[]): boolean | undefined {
  const said = ['additionalProperties', 'unevaluatedProperties'].flatMap((keyword) =>
    valuesAt(flat, keyword),
  );
  return said.includes(false) ? false : said.length > 0 ? true : undefined;
}

function admitsEmptyString(schema: Schema): boolean {
  if (constantsOf([schema])?.includes('') === false) return false;
  return !('pattern' in schema) && !('format' in schema) && !(Number(schema.minLength ?? 0) > 0);
}
