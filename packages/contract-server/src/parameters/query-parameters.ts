import { createContentReader } from './content-parameter.js';
import { readDeepObject } from './deep-object.js';
import type { JsonValue } from '../json/json-value.js';
import { createRecord } from '../json/record.js';
import { MalformedParameterError, readAs } from './malformed-parameter.js';
import type { Parameter } from '../operation/operation.js';
import type { Shape } from './parameter-shape.js';
import { addText, readMembers, readOnce, readRepeated, readText } from './parameter-style.js';
import { decodeQuery, decodeTarget } from './percent-encoding.js';
import { createQueryNames, type QueryNames } from './query-names.js';
import { parseQuery, type Pair } from './query-string.js';

/** What a query holds for one parameter. */
interface Found {
  /** Under the parameter's own name. */
  readonly texts: string[];
  /** The members of an exploded object, `R`, or of a deepObject, `[R]`. */
  readonly members: Pair[];
}

type ReadFound = (found: Found) => JsonValue | undefined;

/**
 * Reads the query parameters. A name that belongs to none of them, nor is to be ignored, stays in what
 * is read, so that the schema refuses it.
 */
export function createQueryReader(
  parameters: readonly Parameter[],
  shapeOf: (parameter: Parameter) => Shape,
  ignoredNames: ReadonlySet<string>,
  report: (parameter: Parameter, problem: string) => void,
): (query: string) => Record<string, JsonValue> {
  const names = createQueryNames(parameters, shapeOf, report);
  const readers = new Map(
    parameters.map((parameter) => [parameter, createReader(parameter, shapeOf(parameter))]),
  );
  return (query) => {
    const values = createRecord<JsonValue>();
    if (query === '') return values;
    const found = new Map<Parameter, Found>();
    for (const pair of parseQuery(query)) {
      if (!assign(pair, names, found, ignoredNames)) {
        values[pair.name] = readAs({ in: 'query', name: pair.name }, () => decodeQuery(pair.text));
      }
    }
    for (const [parameter, texts] of found) {
      const value = readAs(parameter, () => readers.get(parameter)?.(texts));
      if (value !== undefined) values[parameter.name] = value;
    }
    return values;
  };
}

/** Puts a pair to the parameter that it belongs to; false where there is none. */
function assign(
  pair: Pair,
  names: QueryNames,
  found: Map<Parameter, Found>,
  ignoredNames: ReadonlySet<string>,
): boolean {
  const foundOf = (parameter: Parameter): Found => {
    const known = found.get(parameter) ?? { texts: [], members: [] };
    found.set(parameter, known);
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

function createReader(parameter: Parameter, shape: Shape): ReadFound {
  const { mediaType, style, allowReserved } = parameter;
  if (mediaType !== undefined) {
    const readContent = createContentReader(mediaType);
    return ({ texts }) => readContent(decodeQuery(readOnce(texts)));
  }
  // Where reserved characters need no encoding, a plus means a plus (OpenAPI 3.1.0 §4.8.12.2).
  const decode = allowReserved ? decodeTarget : decodeQuery;
  const readWhole = createWholeReader(parameter, shape, decode);
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

/** The delimiters are found before decoding, so a comma that is encoded is part of a value. */
const SEPARATORS: Readonly<Record<string, RegExp>> = {
  form: /,/,
  // These two can't stand in a URI as they are, so encoded ones must do; they can't be in a value.
  spaceDelimited: /%20|\+/,
  pipeDelimited: /\||%7C/i,
};

function createWholeReader(
  { name, style, explode, allowEmptyValue }: Parameter,
  shape: Shape,
  decode: (text: string) => string,
): (texts: readonly string[]) => JsonValue | undefined {
  if (style === 'deepObject' && !shape.isScalar) {
    return () => {
      throw new MalformedParameterError(`must be written ${name}[member]=value`);
    };
  }
  const form = { separator: SEPARATORS[style] ?? /,/, hasNamedMembers: false, decode };
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
