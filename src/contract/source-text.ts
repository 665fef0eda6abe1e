import { extname } from 'node:path';
import { LineCounter, isMap, isNode, parseDocument } from 'yaml';
import { ContractError } from './contract-error.js';
import { ExactReader } from './exact-reader.js';
import { JsonError } from './json-value.js';

/** A number that a double might not hold: of a contract's numbers, bounds of int64 mostly. */
const MAYBE_INEXACT = /[:[,\s-]\d{16,}\s*(?:[,\]}\n\r#]|$)/;
/** Above this, finding a line takes longer than anyone waits. */
const MAX_LOCATED_LENGTH = 4_000_000;

/**
 * The value of a YAML or JSON text; integers that a `number` can't hold are `bigint`s.
 * @throws ContractError that says where it isn't one
 */
export function parseSource(text: string, path: string): unknown {
  // A JSON text is YAML too, but a YAML parser takes a hundred times as long.
  if (extname(path) === '.json' || text.trimStart().startsWith('{')) {
    const parsed = tryJson(text, path);
    if (parsed !== undefined) return parsed.value;
  }
  const isExact = !MAYBE_INEXACT.test(text);
  const yaml = parseDocument(text, { prettyErrors: true, intAsBigInt: !isExact });
  if (yaml.errors.length > 0) {
    throw new ContractError(yaml.errors.map(({ message }) => `${path}: ${message}`));
  }
  const value: unknown = yaml.toJS();
  return isExact ? value : shrinkIntegers(value);
}

/** Undefined where the text isn't JSON, which the YAML parser then says better. */
function tryJson(text: string, path: string): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return { value: MAYBE_INEXACT.test(text) ? new ExactReader(text).read() : value };
  } catch (error) {
    if (error instanceof JsonError) throw new ContractError([`${path}: ${error.message}`]);
    if (text.length > MAX_LOCATED_LENGTH) throw new ContractError([`${path}: ${String(error)}`]);
    return undefined;
  }
}

function shrinkIntegers(value: unknown): unknown {
  if (typeof value === 'bigint') {
    return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  }
  if (Array.isArray(value)) return value.map(shrinkIntegers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, shrinkIntegers(member)]),
  );
}

/** Where in a text something stands, or what of it, and where else the rest must be looked for. */
export interface Located {
  readonly line: number;
  readonly column: number;
  /** A reference that was met on the way, and the steps that are left from where it leads. */
  readonly elsewhere?: { readonly ref: string; readonly steps: readonly string[] };
}

/** Finds the place in a YAML or JSON text that some steps lead to, or the last one on the way. */
export function locate(text: string, steps: readonly string[]): Located | undefined {
  if (text.length > MAX_LOCATED_LENGTH) return undefined;
  const lines = new LineCounter();
  const yaml = parseDocument(text, { lineCounter: lines });
  let node: unknown = yaml.contents;
  let at = 0;
  for (const [index, step] of steps.entries()) {
    const ref: unknown = isMap(node) ? node.get('$ref') : undefined;
    if (typeof ref === 'string') return found(lines, at, { ref, steps: steps.slice(index) });
    const key = isMap(node) ? node.items.find((pair) => String(pair.key) === step)?.key : undefined;
    const next: unknown = yaml.getIn(steps.slice(0, index + 1), true);
    if (!isNode(next)) break;
    at = (isNode(key) ? key.range?.[0] : undefined) ?? next.range?.[0] ?? at;
    node = next;
  }
  return found(lines, at);
}

function found(lines: LineCounter, at: number, elsewhere?: Located['elsewhere']): Located {
  const { line, col } = lines.linePos(at);
  return { line, column: col, ...(elsewhere && { elsewhere }) };
}
