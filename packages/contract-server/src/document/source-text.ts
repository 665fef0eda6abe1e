import { extname } from 'node:path';
import { LineCounter, isMap, isNode, parseDocument, visit, type Document } from 'yaml';
import { exactLiteral, exactNumber } from '../json/exact-number.js';
import { parseJson } from '../json/json.js';
import { ContractError } from './contract-error.js';

/** A number that a double might not hold: of a contract's numbers, bounds of int64 mostly. */
const MAYBE_INEXACT =
  /[:[,\s+-](?:\d{16,}(?:\.\d*)?(?:[eE][-+]?\d+)?|[\d.]+[eE]\+?\d+|0[ox][\da-fA-F]{14,})\s*(?:[,\]}\n\r#]|$)/;
/** A character that V8 can't keep in one byte. */
const WIDE = /[\u0100-\uffff]/;
/** Above this, finding a line takes longer than anyone waits. */
const MAX_LOCATED_LENGTH = 4_000_000;

/**
 * The value of a YAML or JSON text; integers that a `number` can't hold are `bigint`s.
 * @throws ContractError that says where it isn't one
 */
export function parseSource(text: string, path: string): unknown {
  const isInexact = MAYBE_INEXACT.test(text);
  const isJson = extname(path) === '.json';
  let notJson: unknown;
  // A JSON text is YAML too, but a YAML parser takes a hundred times as long.
  if (isJson || text.trimStart().startsWith('{')) {
    try {
      return isInexact ? parseJson(text) : JSON.parse(text);
    } catch (error) {
      notJson = error;
    }
    if (text.length > MAX_LOCATED_LENGTH) throw new ContractError([`${path}: ${String(notJson)}`]);
  }
  const lineCounter = new LineCounter();
  const yaml = parseDocument(text, { prettyErrors: true, intAsBigInt: isInexact, lineCounter });
  if (yaml.errors.length > 0) {
    throw new ContractError(yaml.errors.map(({ message }) => `${path}: ${message}`));
  }
  if (isJson) throw new ContractError([`${path}: ${String(notJson)}`]);
  if (WIDE.test(text)) narrowStrings(yaml);
  checkAliases(yaml, lineCounter, path);
  if (isInexact) makeExact(yaml, path);
  return toValue(yaml, path);
}

/** Refuses aliases that stand for nothing (YAML 1.2.2 §7.1), and those inside what they stand for. */
function checkAliases(yaml: Document, lines: LineCounter, file: string): void {
  const anchors = new Set<string>();
  const problems: string[] = [];
  visit(yaml, {
    Value(_key, { anchor }) {
      if (anchor !== undefined) anchors.add(anchor);
    },
    Alias(_key, { source, range }, path) {
      const isInside = path.some((node) => isNode(node) && node.anchor === source);
      if (anchors.has(source) && !isInside) return;
      const { line, col } = lines.linePos(range?.[0] ?? 0);
      const what = isInside ? 'stands for what it is a part of' : 'has no anchor before it';
      problems.push(`${file}:${line}:${col} the alias *${source} ${what}`);
    },
  });
  if (problems.length > 0) throw new ContractError(problems);
}

function toValue(yaml: Document, file: string): unknown {
  try {
    return yaml.toJS();
  } catch (error) {
    // A few lines of aliases of aliases can stand for more than fits into memory.
    if (error instanceof ReferenceError) throw new ContractError([`${file}: ${error.message}`]);
    throw error;
  }
}

/**
 * V8 keeps a part of a wide text at two bytes a character, and everything that such a part is written
 * into becomes wide and slow to write. A string that is made anew is wide only if it must be.
 */
function narrowStrings(yaml: Document): void {
  visit(yaml, {
    Scalar(_key, node) {
      if (typeof node.value === 'string') node.value = Buffer.from(node.value).toString();
    },
  });
}

/** Only integers that a double can't hold stay bigints; those with a point or an exponent become some. */
function makeExact(yaml: Document, path: string): void {
  const inexact: string[] = [];
  visit(yaml, {
    Scalar(_key, node) {
      if (typeof node.value === 'bigint') node.value = exactLiteral(node.value);
      if (typeof node.value !== 'number' || node.source === undefined) return;
      const exact = exactNumber(node.source.replace(/^\+/, ''), node.value);
      if (exact !== undefined) node.value = exact;
      else if (!Number.isSafeInteger(node.value)) {
        inexact.push(`${path}: ${node.source} can be held neither as an integer nor as a double`);
      }
    },
  });
  if (inexact.length > 0) throw new ContractError(inexact);
}

/** A place in a text, of all steps or of those before a reference that the remaining steps lead through. */
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
