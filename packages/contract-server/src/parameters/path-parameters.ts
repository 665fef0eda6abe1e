import { createContentReader } from './content-parameter.js';
import type { JsonValue } from '../json/json-value.js';
import { createRecord } from '../json/record.js';
import { MalformedParameterError, readAs } from './malformed-parameter.js';
import type { Parameter } from '../operation/operation.js';
import type { Shape } from './parameter-shape.js';
import { addText, readMembers, readOnce, readRepeated, readText } from './parameter-style.js';
import { decodeTarget } from './percent-encoding.js';
import { parsePairs } from './query-string.js';

const COMMA = /,/;
const DOT = /\./;

/** Reads the path parameters from the percent-encoded texts that stand in their places. */
export function createPathReader(
  parameters: readonly Parameter[],
  shapeOf: (parameter: Parameter) => Shape,
): (path: Readonly<Record<string, string>>) => Record<string, JsonValue> {
  const readers = parameters.map((parameter) => ({
    parameter,
    read: createReader(parameter, shapeOf(parameter)),
  }));
  return (path) => {
    const values = createRecord<JsonValue>();
    for (const { parameter, read } of readers) {
      const text = Object.hasOwn(path, parameter.name) ? path[parameter.name] : undefined;
      if (text !== undefined) values[parameter.name] = readAs(parameter, () => read(text));
    }
    return values;
  };
}

function createReader(parameter: Parameter, shape: Shape): (text: string) => JsonValue {
  const { mediaType, style, explode } = parameter;
  if (mediaType !== undefined) {
    const readContent = createContentReader(mediaType);
    return (text) => readContent(decodeTarget(text));
  }
  switch (style) {
    case 'label':
      return (text) => readLabel(text, shape, explode);
    case 'matrix':
      return (text) => readMatrix(text, parameter, shape);
    default: {
      const form = { separator: COMMA, hasNamedMembers: explode, decode: decodeTarget };
      return (text) => readText(text, shape, form);
    }
  }
}

/**
 * `.blue.black`. Where it isn't exploded, OpenAPI 3.1.0 §4.8.12.4 parts values by dots, and RFC 6570
 * §3.2.5, which 3.1.1 follows, by commas: both are understood, and a comma decides.
 */
function readLabel(text: string, shape: Shape, explode: boolean): JsonValue {
  if (!text.startsWith('.')) throw new MalformedParameterError('must begin with a dot');
  const separator = !explode && text.includes(',') ? COMMA : DOT;
  const form = { separator, hasNamedMembers: explode, decode: decodeTarget };
  return readText(text.slice(1), shape, form);
}

/** `;color=blue` (RFC 6570 §3.2.7), where an empty value has no `=`. */
function readMatrix(text: string, { name, explode }: Parameter, shape: Shape): JsonValue {
  const pairs = text.startsWith(';') ? parsePairs(text, ';', decodeTarget) : [];
  const texts = pairs.filter((pair) => pair.name === name).map((pair) => pair.text);
  const hasOthers = texts.length < pairs.length || pairs.length === 0;
  if (explode && shape.isObject && pairs.length > 0) {
    // A value that isn't an object is written under the parameter's own name.
    if (hasOthers || !(shape.isArray || shape.isScalar)) {
      const members = new Map<string, string[]>();
      for (const pair of pairs) addText(members, pair.name, pair.text);
      return readMembers(members, shape, decodeTarget);
    }
  }
  if (hasOthers) throw new MalformedParameterError(`must be written ;${name}=value`);
  return explode
    ? readRepeated(texts, shape, decodeTarget)
    : readText(readOnce(texts), shape, {
        separator: COMMA,
        hasNamedMembers: false,
        decode: decodeTarget,
      });
}
