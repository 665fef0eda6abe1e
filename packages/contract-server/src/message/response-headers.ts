import type { ContractDocument, HeaderObject, ResponseObject } from '../document/document.js';
import type { JsonValue } from '../json/json-value.js';
import { createRecord } from '../json/record.js';
import { splitIntegers, type IntegerParts, type SplitValue } from '../json/exact-integers.js';
import { writeJson } from '../json/json.js';
import { createContentReader } from '../parameters/content-parameter.js';
import { MalformedParameterError } from '../parameters/malformed-parameter.js';
import { createShape } from '../parameters/parameter-shape.js';
import { readText } from '../parameters/parameter-style.js';
import { compileFromHandler } from '../schema/handler-values.js';
import { declaredHeaders } from '../operation/message-schema.js';
import { getHeader, type HeaderLines } from './header-lines.js';

/** The headers that a response declares, how they are written, and how they are read to be validated. */
export interface DeclaredHeaders {
  /**
   * A value as the header's style has it (OpenAPI 3.1.0 §4.8.21); undefined where the header is neither
   * declared nor one of HTTP's own.
   */
  readonly write: (name: string, value: unknown) => string | undefined;
  /** The values of those that are there, by their names in lower case. */
  readonly read: (headers: HeaderLines) => SplitHeaders;
}

interface SplitHeaders extends SplitValue {
  readonly value: Record<string, JsonValue>;
}

/**
 * The headers that HTTP itself defines for responses (RFC 9110, RFC 9111). No contract needs to declare
 * them; those that one declares are validated.
 */
const GENERAL_HEADERS = [
  ...([
    'Accept',
    'Accept-Encoding',
    'Accept-Ranges',
    'Age',
    'Allow',
    'Authentication-Info',
  ] as const),
  ...(['Cache-Control', 'Connection', 'Content-Encoding', 'Content-Language'] as const),
  ...(['Content-Length', 'Content-Location', 'Content-Range', 'Content-Type', 'Date'] as const),
  ...(['ETag', 'Expires', 'Last-Modified', 'Location', 'Proxy-Authenticate'] as const),
  ...(['Retry-After', 'Server', 'Trailer', 'Upgrade', 'Vary', 'Via', 'WWW-Authenticate'] as const),
] as const;

export type GeneralHeaders = Readonly<
  Partial<Record<(typeof GENERAL_HEADERS)[number], string | number>>
>;

const GENERAL_NAMES = new Set(GENERAL_HEADERS.map((name) => name.toLowerCase()));

export function createDeclaredHeaders(
  document: ContractDocument,
  response: ResponseObject,
): DeclaredHeaders {
  const forms = new Map(
    [...declaredHeaders(document, response)].map(([name, header]) => [
      name,
      createForm(document, header),
    ]),
  );
  return {
    write(name, value) {
      const lowerName = name.toLowerCase();
      const form = forms.get(lowerName);
      if (form !== undefined) return form.write(value);
      return GENERAL_NAMES.has(lowerName) ? String(value) : undefined;
    },
    read(headers) {
      const values = createRecord<JsonValue>();
      let integers: IntegerParts | undefined;
      for (const [name, { read }] of forms) {
        const text = getHeader(headers, name);
        if (text === undefined) continue;
        const header = splitIntegers(readOrKeep(text, read));
        values[name] = header.value;
        if (header.integers !== undefined) (integers ??= createRecord())[name] = header.integers;
      }
      return { value: values, integers };
    },
  };
}

interface HeaderForm {
  readonly write: (value: unknown) => string;
  readonly read: (text: string) => JsonValue;
}

/** A header's style is "simple", the only one that there is for headers. */
function createForm(document: ContractDocument, header: HeaderObject): HeaderForm {
  const [content] = Object.entries(header.content ?? {});
  if (content !== undefined) {
    const read = createContentReader(content[0]);
    return { write: (value) => (typeof value === 'string' ? value : writeJson(value)), read };
  }
  const hasNamedMembers = header.explode === true;
  const form = { separator: /,/, hasNamedMembers, decode: (text: string) => text.trim() };
  const shape = createShape(document, [header.schema ?? {}]);
  const convert = compileFromHandler(document, header.schema ?? {}) ?? ((value: unknown) => value);
  return {
    write: (value) => writeSimple(convert(value, undefined), hasNamedMembers ? '=' : ','),
    read: (text) => readText(text, shape, form),
  };
}

/** A text that isn't of the header's style stays as it is, for the schema to refuse. */
function readOrKeep(text: string, read: (text: string) => JsonValue): JsonValue {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof MalformedParameterError) return text;
    throw error;
  }
}

function writeSimple(value: unknown, separator: string): string {
  if (Array.isArray(value)) return value.map(String).join(',');
  if (typeof value !== 'object' || value === null || value instanceof Date) return String(value);
  return Object.entries(value)
    .map(([name, member]) => `${name}${separator}${String(member)}`)
    .join(',');
}
