import { readDeepObject } from './deep-object.js';
import type { JsonValue } from '../json/json-value.js';
import { createRecord } from '../json/record.js';
import { MalformedParameterError, readAs } from './malformed-parameter.js';
import type { Field } from '../operation/operation.js';
import type { Shape } from './parameter-shape.js';
import { addText, readMembers, readOnce, readRepeated, readText } from './parameter-style.js';
import type { Decode } from './percent-encoding.js';
import { createQueryNames, type QueryNames } from './query-names.js';
import type { Pair } from './query-string.js';

/** What pairs of names and texts hold for one field. */
interface Found {
  /** Under the field's own name. */
  readonly texts: string[];
  /** The members of an exploded object, `R`, or of a deepObject, `[R]`. */
  readonly members: Pair[];
}

type ReadFound = (found: Found) => JsonValue | undefined;

/** How the texts of a query or of a form become values. */
export interface FieldNotation {
  readonly location: 'query' | 'body';
  readonly decode: Decode;
  /** Decodes the text of a field in which reserved characters need no encoding. */
  readonly decodeReserved: Decode;
  /** What parts the items that stand in one text, by style. They are found before decoding. */
  readonly delimiters: Readonly<Record<string, RegExp>>;
  /** Reads the texts of a field that has a media type instead of a style. */
  readonly readContent: (field: Field, shape: Shape) => (texts: readonly string[]) => JsonValue;
  /** Reads the texts of a name that belongs to no field; undefined where it is to be ignored. */
  readonly readOther: (name: string, texts: readonly string[]) => JsonValue | undefined;
  /** Names that are ignored where no field has them, even where a field takes every name. */
  readonly ignoredNames: ReadonlySet<string>;
}

/**
 * Reads the fields of a query or of a form from its pairs. Whether the values are right, and whether all
 * that are required are there, is for the validator to say.
 */
export function createFieldReader(
  fields: readonly Field[],
  shapeOf: (field: Field) => Shape,
  notation: FieldNotation,
  report: (field: Field, problem: string) => void,
): (pairs: readonly Pair[]) => Record<string, JsonValue> {
  const { location, readOther } = notation;
  const names = createQueryNames(fields, shapeOf, report);
  const readers = new Map(
    fields.map((field) => [field, createReader(field, shapeOf(field), notation)]),
  );
  return (pairs) => {
    const values = createRecord<JsonValue>();
    const found = new Map<Field, Found>();
    const others = new Map<string, string[]>();
    for (const pair of pairs) {
      if (!assign(pair, names, found, notation.ignoredNames)) addText(others, pair.name, pair.text);
    }
    for (const [name, texts] of others) {
      const value = readAs({ in: location, name }, () => readOther(name, texts));
      if (value !== undefined) values[name] = value;
    }
    for (const [field, texts] of found) {
      const value = readAs(field, () => readers.get(field)?.(texts));
      if (value !== undefined) values[field.name] = value;
    }
    return values;
  };
}

/** Puts a pair to the field that it belongs to; false where there is none. */
function assign(
  pair: Pair,
  names: QueryNames,
  found: Map<Field, Found>,
  ignoredNames: ReadonlySet<string>,
): boolean {
  const foundOf = (field: Field): Found => {
    const known = found.get(field) ?? { texts: [], members: [] };
    found.set(field, known);
    return known;
  };
  const owner = names.owners.get(pair.name);
  if (owner !== undefined) {
    foundOf(owner).texts.push(pair.text);
    return true;
  }
  const bracketAt = pair.name.indexOf('[');
  const deepObject =
    bracketAt === -1 ? undefined : names.deepObjects.get(pair.name.slice(0, bracketAt));
  if (deepObject !== undefined) {
    foundOf(deepObject).members.push({ name: pair.name.slice(bracketAt), text: pair.text });
    return true;
  }
  if (!names.members.has(pair.name) && ignoredNames.has(pair.name)) return true;
  const object = names.members.get(pair.name) ?? names.others;
  if (object === undefined) return false;
  foundOf(object).members.push(pair);
  return true;
}

function createReader(field: Field, shape: Shape, notation: FieldNotation): ReadFound {
  const { mediaType, style, allowReserved } = field;
  if (mediaType !== undefined) {
    const readContent = notation.readContent(field, shape);
    return ({ texts }) => readContent(texts.map(notation.decode));
  }
  const decode = allowReserved ? notation.decodeReserved : notation.decode;
  const readWhole = createWholeReader(field, shape, notation, decode);
  return ({ texts, members }) => {
    if (members.length === 0) return readWhole(texts);
    if (texts.length > 0) {
      throw new MalformedParameterError('is given both as a whole and by its members');
    }
    return style === 'deepObject'
      ? readDeepObject(members, shape, decode)
      : readMembers(groupByName(members), shape, decode);
  };
}

/** In percent-encoded text: a comma that is encoded is part of a value. */
export const ENCODED_DELIMITERS: FieldNotation['delimiters'] = {
  form: /,/,
  // These two can't stand in a URI as they are, so encoded ones must do; they can't be in a value.
  spaceDelimited: /%20|\+/,
  pipeDelimited: /\||%7C/i,
};

function createWholeReader(
  { name, style, explode, allowEmptyValue }: Field,
  shape: Shape,
  { delimiters }: FieldNotation,
  decode: Decode,
): (texts: readonly string[]) => JsonValue | undefined {
  if (style === 'deepObject' && !shape.isScalar) {
    return () => {
      throw new MalformedParameterError(`must be written ${name}[member]=value`);
    };
  }
  const form = { separator: delimiters[style] ?? /,/, hasNamedMembers: false, decode };
  return (texts) => {
    // OpenAPI 3.1.0 §4.8.12.2 lets it be empty, of whatever type it is; 3.1.1 adds that it counts as
    // not sent. Where the empty string is a value, it is what was sent.
    if (allowEmptyValue && style === 'form' && texts.length === 1 && texts[0] === '') {
      return shape.admitsEmptyString ? '' : undefined;
    }
    return explode || style === 'deepObject'
      ? readRepeated(texts, shape, decode)
      : readText(readOnce(texts), shape, form);
  };
}

function groupByName(pairs: readonly Pair[]): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  for (const { name, text } of pairs) addText(texts, name, text);
  return texts;
}
