import type { ContractDocument } from 'contract-server';

/** Deeper than this only required members are made. */
const MAX_DEPTH = 12;

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2024-01-01T00:00:00Z',
  date: '2024-01-01',
  uri: 'https://example.com/a',
  'uri-template': 'https://example.com/{a}',
  email: 'a@example.com',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  byte: 'AAAA',
};

type Schema = Readonly<Record<string, unknown>>;

/**
 * A value that a schema of OpenAPI 3.0 most likely accepts: all that is required and nothing else.
 * Patterns and the like are not looked at, so some values are refused, which is a verdict too.
 */
export function sampleOf(document: ContractDocument, unresolved: unknown, depth = 0): unknown {
  const schema = document.resolve(unresolved) as Schema | undefined;
  if (schema === undefined || depth > MAX_DEPTH) return null;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.nullable === true && depth > 2) return null;
  const branches = [schema.oneOf, schema.anyOf].find(Array.isArray);
  const parts = [
    ...(Array.isArray(schema.allOf) ? (schema.allOf as unknown[]) : []),
    ...(branches === undefined ? [] : (branches as unknown[]).slice(0, 1)),
  ].map((part) => sampleOf(document, part, depth));
  const own = sampleOfType(document, schema, depth);
  if (parts.length === 0) return own;
  const objects = [...parts, own].filter((part) => typeof part === 'object' && part !== null);
  return objects.length > 0 && !objects.some(Array.isArray)
    ? Object.assign({}, ...objects)
    : (parts.at(-1) ?? own);
}

function sampleOfType(document: ContractDocument, schema: Schema, depth: number): unknown {
  switch (schema.type) {
    case 'string':
      return sampleString(schema);
    case 'integer':
    case 'number':
      return Math.max(Number(schema.minimum ?? 1), Math.min(1, Number(schema.maximum ?? 1)));
    case 'boolean':
      return true;
    case 'array':
      return Array.from({ length: Number(schema.minItems ?? 0) }, () =>
        sampleOf(document, schema.items, depth + 1),
      );
    default:
      return sampleObject(document, schema, depth);
  }
}

function sampleString({ format, minLength }: Schema): string {
  const text = FORMATS[String(format)] ?? 'a';
  return text.padEnd(Number(minLength ?? 0), 'a');
}

function sampleObject(document: ContractDocument, schema: Schema, depth: number): unknown {
  if (schema.type === undefined && schema.properties === undefined) return undefined;
  const properties = (schema.properties ?? {}) as Schema;
  const required = (schema.required ?? []) as string[];
  return Object.fromEntries(
    required.map((name) => [name, sampleOf(document, properties[name], depth + 1)]),
  );
}
