import type { ContractDocument, Schema } from '../document/document.js';
import { hasBigint } from '../json/numbers.js';
import { conjunctsOf, hasReference } from './traversal.js';
import { declaredTypes, isOfType, type JsonType } from './types.js';

/** The default of a schema, as far as it fits the schema. */
export interface Default {
  /** Undefined where none is filled in. */
  readonly value: unknown;
  /** The schema that has it, of all those that judge the same value. */
  readonly schema: Schema;
  /** How it was coerced, or why it is left out, where it doesn't fit. */
  readonly warning?: string;
}

/**
 * The first default that the schema, what it refers to, or a part of it has; undefined where none has.
 * OpenAPI 3.0.3 §4.7.24.1: a default must conform to its schema's type. One that doesn't would make the
 * validator refuse a request for a member that it never had, so it is coerced or left out.
 */
export function defaultOf(document: ContractDocument, schema: unknown): Default | undefined {
  const conjuncts = conjunctsOf(document, schema);
  const own = conjuncts.find((one) => Object.hasOwn(one, 'default'));
  if (own === undefined) return undefined;
  const types = conjuncts.map((one) => declaredTypes(document, one));
  return {
    schema: own,
    ...fitted(
      own.default,
      types.find((some) => some !== undefined),
      own.enum,
    ),
  };
}

function fitted(
  value: unknown,
  types: readonly JsonType[] | undefined,
  allowed: unknown,
): Pick<Default, 'value' | 'warning'> {
  const shown = JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'bigint' ? String(part) : part,
  );
  if (hasBigint(value)) return dropped(shown, 'is beyond 2^53');
  if (hasReference(value)) return dropped(shown, 'has a member named $ref');
  const [found] = [value, ...otherForms(value)].filter(
    (candidate) =>
      (types === undefined || types.some((type) => isOfType(candidate, type))) &&
      (!Array.isArray(allowed) || allowed.includes(candidate) || typeof candidate === 'object'),
  );
  if (found === undefined) return dropped(shown, 'is not what the schema allows');
  if (found === value) return { value };
  return { value: found, warning: `default ${shown} is taken for ${JSON.stringify(found)}` };
}

function dropped(shown: string, why: string): Pick<Default, 'value' | 'warning'> {
  return { value: undefined, warning: `default ${shown} ${why}, and is not filled in` };
}

/** The same value as it is often miswritten: a number or a boolean as text, text as a number. */
function otherForms(value: unknown): unknown[] {
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  if (typeof value !== 'string') return [];
  if (/^-?\d+(\.\d+)?$/.test(value)) return [Number(value)];
  return value === 'true' || value === 'false' ? [value === 'true'] : [];
}
