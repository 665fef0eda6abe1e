import type { ContractDocument } from '../document/document.js';
import { getHeader, type HeaderLines } from './header-lines.js';
import type { declaredHeaders } from '../operation/message-schema.js';

export type HeadersReader = (headers: HeaderLines) => Record<string, unknown>;

/** Reads the declared headers of a response by their schemas' types. */
export function createHeadersReader(
  document: ContractDocument,
  declared: ReturnType<typeof declaredHeaders>,
): HeadersReader {
  const types = [...declared].map(([name, { schema }]) => ({
    name,
    type: document.resolve(schema)?.type,
  }));
  return (headers) => {
    const read: Record<string, unknown> = {};
    for (const { name, type } of types) {
      const value = getHeader(headers, name);
      if (value !== undefined) read[name] = readHeader(value, type);
    }
    return read;
  };
}

const HEADER_NUMBER = /^-?\d+(\.\d+)?$/;

/** A header's value as its schema's type; as it stands where it isn't one, for the schema to refuse. */
function readHeader(value: string, type: unknown): unknown {
  if ((type === 'integer' || type === 'number') && HEADER_NUMBER.test(value)) return Number(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}
