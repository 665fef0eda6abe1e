import { createContentReader } from './content-parameter.js';
import { nameIn } from '../operation/message-schema.js';
import type { JsonValue } from '../json/json-value.js';
import { createRecord } from '../json/record.js';
import { readAs } from './malformed-parameter.js';
import type { Operation, Parameter } from '../operation/operation.js';
import type { Shape } from './parameter-shape.js';
import { addText, readOnce, readText } from './parameter-style.js';

/**
 * Reads the header parameters, by their names in lower case. Their texts are taken as they are:
 * RFC 9110 §5.5 knows no percent-encoding, and OpenAPI since 3.1.1 says that there is none.
 */
export function createHeaderReader(
  parameters: readonly Parameter[],
  shapeOf: (parameter: Parameter) => Shape,
): (rawHeaders: readonly string[]) => Record<string, JsonValue> {
  const readers = new Map(
    parameters.map((parameter) => [
      nameIn('header', parameter.name),
      { parameter, read: createReader(parameter, shapeOf(parameter)) },
    ]),
  );
  return (rawHeaders) => {
    // Node's own records lose lines: of some headers it keeps the first, others it joins.
    const lines = new Map<string, string[]>();
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = nameIn('header', rawHeaders[at] ?? '');
      if (readers.has(name)) addText(lines, name, rawHeaders[at + 1] ?? '');
    }
    const values = createRecord<JsonValue>();
    for (const [name, { parameter, read }] of readers) {
      const texts = lines.get(name);
      if (texts !== undefined) values[name] = readAs(parameter, () => read(texts));
    }
    return values;
  };
}

/** Renames header values from lower case to the names that the contract declares, as the types have them. */
export function createHeaderNaming({
  parameters,
}: Operation): (header: Record<string, unknown>) => Record<string, unknown> {
  const declared = parameters
    .filter((parameter) => parameter.in === 'header')
    .map(({ name }) => [nameIn('header', name), name] as const);
  if (declared.every(([lowerName, name]) => lowerName === name)) return (header) => header;
  return (header) => {
    const named = createRecord<unknown>();
    for (const [lowerName, name] of declared) {
      if (Object.hasOwn(header, lowerName)) named[name] = header[lowerName];
    }
    return named;
  };
}

function createReader(
  { mediaType, explode }: Parameter,
  shape: Shape,
): (lines: readonly string[]) => JsonValue {
  if (mediaType !== undefined) {
    const readContent = createContentReader(mediaType);
    return (lines) => readContent(readOnce(lines));
  }
  if (!shape.isArray && !shape.isObject) return (lines) => shape.readScalar(readOnce(lines));
  // RFC 9110 §5.3: several lines are one list, and there may be white space around its commas.
  const form = { separator: /,/, hasNamedMembers: explode, decode: (text: string) => text.trim() };
  return (lines) => readText(lines.join(','), shape, form);
}
