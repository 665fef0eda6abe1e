import { join } from '../document.js';
import { listOf, membersOf, type Members } from './members.js';

/** A contract that says one thing less than the one it was made from. */
export interface Mutant {
  /** Where: `/components/schemas/Booking/required/0`. */
  readonly name: string;
  readonly root: Members;
  /** The same with another value there, where there is one that contradicts the original. */
  readonly flipped: Members | undefined;
}

type Path = readonly string[];

/** What a keyword's opposite is, where it has one; the others are only removed. */
const FLIPPED: Readonly<Record<string, (value: unknown) => unknown>> = {
  type: (type) => (type === 'boolean' ? 'array' : 'boolean'),
  pattern: () => '^never$',
  format: (format) => (format === 'int32' ? 'int64' : 'int32'),
  minimum: (minimum) => Number(minimum) + 1_000_000,
  minLength: (minLength) => Number(minLength) + 1000,
};
const CONSTRAINTS = [
  'type',
  'pattern',
  'format',
  'enum',
  'const',
  'multipleOf',
  'uniqueItems',
  'additionalProperties',
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength'],
  ...['minItems', 'maxItems', 'minProperties', 'maxProperties'],
];
/** Where a schema has others in a list, in a record, or one. */
const LISTS = ['allOf', 'oneOf', 'anyOf', 'prefixItems'];
const RECORDS = ['properties', 'patternProperties', '$defs'];
const SINGLE = ['items', 'not', 'additionalProperties', 'if', 'then', 'else'];

/** A mutant for every constraint of a contract, by which it is gone. */
export function mutantsOf(root: Members): Mutant[] {
  const mutants: Mutant[] = [];
  const remove = (path: Path, flipped?: unknown): void => {
    mutants.push({
      name: pointer(path),
      root: edited(root, path),
      flipped: flipped === undefined ? undefined : edited(root, path, flipped),
    });
  };

  function visitSchema(value: unknown, path: Path): void {
    const schema = membersOf(value);
    listOf(schema.required).forEach((_name, index) => {
      remove([...path, 'required', String(index)]);
    });
    for (const keyword of CONSTRAINTS) {
      if (schema[keyword] === undefined || typeof schema[keyword] === 'object') continue;
      remove([...path, keyword], FLIPPED[keyword]?.(schema[keyword]));
    }
    for (const keyword of LISTS) {
      listOf(schema[keyword]).forEach((part, index) => {
        const at = [...path, keyword, String(index)];
        if (listOf(schema[keyword]).length > 1) remove(at);
        visitSchema(part, at);
      });
    }
    for (const keyword of RECORDS) {
      for (const [name, member] of Object.entries(membersOf(schema[keyword]))) {
        visitSchema(member, [...path, keyword, name]);
      }
    }
    for (const keyword of SINGLE) {
      if (schema[keyword] !== undefined) visitSchema(schema[keyword], [...path, keyword]);
    }
  }

  /** All that isn't a schema: schemas and their surroundings are found by the names of their members. */
  function visit(value: unknown, path: Path): void {
    const object = membersOf(value);
    if (object.required === true) remove([...path, 'required']);
    for (const [name, member] of Object.entries(object)) {
      const at = [...path, name];
      if (name === 'schemas' && path.at(-1) === 'components') {
        for (const [one, schema] of Object.entries(membersOf(member)))
          visitSchema(schema, [...at, one]);
      } else if (['schema', 'itemSchema', 'x-item-schema'].includes(name)) visitSchema(member, at);
      else if (name === 'responses' || name === 'x-unmatched-responses') {
        const isDeclaration = path.at(-1) !== 'components';
        for (const [status, response] of Object.entries(membersOf(member))) {
          if (isDeclaration) remove([...at, status]);
          visit(response, [...at, status]);
        }
      } else if (name === 'security') remove(at);
      else if (name === 'content') {
        for (const [mediaType, media] of Object.entries(membersOf(member))) {
          rename(at, mediaType);
          visit(media, [...at, mediaType]);
        }
      } else if (name !== 'examples' && typeof member === 'object') visit(member, at);
    }
  }

  /** A media type, of which the last may not be removed. */
  function rename(path: Path, mediaType: string): void {
    const content = membersOf(
      path.reduce<unknown>((target, step) => membersOf(target)[step], root),
    );
    const { [mediaType]: media, ...others } = content;
    mutants.push({
      name: pointer([...path, mediaType]),
      root: edited(root, path, { ...others, 'text/x-other': media }),
      flipped: undefined,
    });
  }

  visit(root, []);
  return mutants;
}

/** A copy with another value at this place, or with none. */
function edited(root: Members, path: Path, value?: unknown): Members {
  const copy = structuredClone(root);
  const holder = path
    .slice(0, -1)
    .reduce<object>((target, step) => Reflect.get(target, step) as object, copy);
  const last = path.at(-1) ?? '';
  if (value !== undefined) Reflect.set(holder, last, value);
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else Reflect.deleteProperty(holder, last);
  return copy;
}

function pointer(path: Path): string {
  return path.reduce(join, '');
}
