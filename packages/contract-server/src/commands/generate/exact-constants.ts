import { isObject, type Schema } from '../../document/document.js';
import { hasBigint, mapNumbers } from '../../json/numbers.js';
import { hasBigints } from '../../schema/integers.js';

/** Holds the types of a schema's constants, where those of openapi-typescript would be wrong. */
export const CONSTANTS = 'x-exact-constants';

/** What stands in the comments of the types, digit for digit. */
const SHOWN = ['default', 'example', 'examples'];

/**
 * A document for openapi-typescript, which knows no integer but a `number`: constants that a handler has
 * as `bigint`, or that a double can't hold, become types of their own.
 */
export function spellIntegers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(spellIntegers);
  if (!isObject(value)) return value;
  const constants = constantsOf(value);
  const isSpelled = constants.length > 0 && (hasBigints(value) || hasBigint(constants));
  const members = Object.entries(value).map(([name, member]) => [
    name,
    SHOWN.includes(name) ? mapNumbers(member, shown) : spellIntegers(member),
  ]);
  if (!isSpelled) return Object.fromEntries(members);
  const others = members.filter(([name]) => name !== 'enum' && name !== 'const');
  return {
    // It asks for the type only of schemas that have one.
    type: 'integer',
    ...Object.fromEntries(others),
    [CONSTANTS]: constants.map((constant) => typeOf(constant, hasBigints(value))),
  };
}

function shown(number: number | bigint): number | string {
  return typeof number === 'bigint' ? String(number) : number;
}

function constantsOf(schema: Schema): readonly unknown[] {
  if (Object.hasOwn(schema, 'const')) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : [];
}

/** A type of TypeScript, as it is written. */
function typeOf(constant: unknown, isExact: boolean): string {
  if (typeof constant === 'bigint') return `${constant}n`;
  if (isExact && Number.isInteger(constant)) return `${String(constant)}n`;
  return typeof constant === 'object' && constant !== null ? 'unknown' : JSON.stringify(constant);
}
