import type { ContractDocument, Schema } from '../document/document.js';
import { Conversions, type Convert } from './conversion.js';
import { hasBigints } from './integers.js';

/**
 * Compiles the conversion of a validated request into what its handler gets: a `bigint` wherever a schema
 * says int64 or uint64, or has a constant beyond 2^53, and what the service's own formats make of texts.
 * Undefined where there is nothing of both. Where several branches could have accepted a value, a place is
 * int64 if one of them says so.
 */
export function compileToHandler(document: ContractDocument, schema: Schema): Convert | undefined {
  const conversions =
    toHandler.get(document) ??
    new Conversions(document, {
      inPlace: true,
      convertOf: (one) => {
        if (hasBigints(one)) return toBigint;
        const known = document.formatOf(one.format);
        if (known?.parse === undefined) return undefined;
        return (value) => (typeof value === 'string' ? (known.parse?.(value) ?? value) : value);
      },
    });
  toHandler.set(document, conversions);
  return conversions.compile(schema);
}

/** What the operations of a contract share, since in some contracts every schema reaches every other. */
const toHandler = new WeakMap<ContractDocument, Conversions>();
const fromHandler = new WeakMap<ContractDocument, Conversions>();

const toBigint: Convert = (value, integers) => {
  if (typeof integers === 'bigint') return integers;
  return Number.isInteger(value) ? BigInt(value as number) : value; // isInteger: it is a number
};

/** The same of what a handler returns: texts in place of what the service's own formats have made of them. */
export function compileFromHandler(
  document: ContractDocument,
  schema: Schema,
): Convert | undefined {
  if (Object.values(document.formats).every(({ write }) => write === undefined)) return undefined;
  const conversions =
    fromHandler.get(document) ??
    new Conversions(document, {
      inPlace: false,
      convertOf: ({ format }) => {
        const known = document.formatOf(format);
        if (known?.write === undefined) return undefined;
        return (value) =>
          typeof value === 'object' && value !== null ? known.write?.(value) : value;
      },
    });
  fromHandler.set(document, conversions);
  return conversions.compile(schema);
}
