import { roundLiteral } from '../../json/literals.js';
import { hasReference } from './literals.js';

/** A default that fits the types; `undefined` with the reason where it can't be made to. */
export interface FittedDefault {
  readonly value?: unknown;
  /** What was done to it, where something was. */
  readonly note?: string;
}

/**
 * OpenAPI 3.0.3 §4.7.24.1: a default must conform to its schema's type. One that doesn't would make
 * the validator refuse a request for a member that it never had.
 */
export function fitDefault(
  value: unknown,
  types: readonly unknown[] | undefined,
  allowed: unknown,
): FittedDefault {
  const shown = JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'bigint' ? String(part) : part,
  );
  if (roundLiteral(value).isRounded) return dropped(shown, 'is beyond 2^53');
  if (hasReference(value)) return dropped(shown, 'has a member named $ref');
  const candidates = [value, ...otherForms(value)];
  const fitting = candidates.filter(
    (candidate) =>
      (types === undefined || types.some((type) => isOfType(candidate, type))) &&
      (!Array.isArray(allowed) || allowed.includes(candidate) || typeof candidate === 'object'),
  );
  if (fitting.length === 0) return dropped(shown, 'is not what the schema allows');
  if (fitting[0] === value) return { value };
  return { value: fitting[0], note: `default ${shown} is taken for ${JSON.stringify(fitting[0])}` };
}

function dropped(shown: string, why: string): FittedDefault {
  return { note: `default ${shown} ${why}, and is not filled in` };
}

/** The same value as it is often miswritten: a number or a boolean as text, text as a number. */
function otherForms(value: unknown): unknown[] {
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  if (typeof value !== 'string') return [];
  if (/^-?\d+(\.\d+)?$/.test(value)) return [Number(value)];
  return value === 'true' || value === 'false' ? [value === 'true'] : [];
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}
