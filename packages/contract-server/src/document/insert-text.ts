import { isCollection, isMap, isNode, parseDocument, stringify, type YAMLMap } from 'yaml';
import { ContractError } from './contract-error.js';

/** A value that a contract lacks, and where. */
export interface AddedValue {
  readonly at: readonly string[];
  readonly value: unknown;
}

/**
 * A contract's text, YAML or JSON, with values added to it: everything that was there stays as it is, to
 * the letter, comments and order too.
 * @throws ContractError where something stands in a value's place
 */
export function addToText(text: string, isJson: boolean, added: readonly AddedValue[]): string {
  const root = parseDocument(text).contents;
  const places = new Map<YAMLMap, Record<string, unknown>>();
  for (const { at, value } of added) {
    const { map, rest } = deepestMap(root, at);
    const members = places.get(map) ?? {};
    setIn(members, rest, value);
    places.set(map, members);
  }
  // From the end, so that the places before stay where they are.
  const ordered = [...places].sort(([one], [other]) => endOf(other) - endOf(one));
  return ordered.reduce((result, [map, members]) => insert(result, map, members, isJson), text);
}

/** The map that a value is to be put into, and the names from there. */
function deepestMap(
  root: unknown,
  at: readonly string[],
): { map: YAMLMap; rest: readonly string[] } {
  let map = root;
  for (const [index, name] of at.entries()) {
    const next: unknown = isMap(map)
      ? map.items.find(({ key }) => String(key) === name)?.value
      : undefined;
    if (isMap(map) && next === undefined) return { map, rest: at.slice(index) };
    map = next;
  }
  throw new ContractError([`/${at.join('/')}: something else stands there`]);
}

/** Where the last thing in a map ends. */
function endOf(map: YAMLMap): number {
  const last = map.items.at(-1);
  if (last === undefined) return (map.range?.[0] ?? 0) + 1;
  const { key, value } = last;
  if (isMap(value) && value.flow !== true && value.items.length > 0) return endOf(value);
  if (isCollection(value) && value.flow !== true) {
    const item: unknown = value.items.at(-1);
    if (isMap(item) && item.flow !== true) return endOf(item);
    if (isNode(item)) return item.range?.[1] ?? 0;
  }
  const node = isNode(value) ? value : key;
  return (isNode(node) ? node.range?.[1] : undefined) ?? 0;
}

function insert(
  text: string,
  map: YAMLMap,
  members: Record<string, unknown>,
  isJson: boolean,
): string {
  const first = map.items[0]?.key;
  const start = isNode(first) ? (first.range?.[0] ?? 0) : 0;
  const indent = ' '.repeat(start - (text.lastIndexOf('\n', start - 1) + 1));
  const end = endOf(map);
  if (map.flow !== true) {
    const lines = stringify(members, {
      aliasDuplicateObjects: false,
      singleQuote: true,
      lineWidth: 0,
    });
    const isLineOver = text[end - 1] === '\n';
    const at = isLineOver ? end : [text.indexOf('\n', end) + 1, text.length].find((n) => n > 0);
    const before = text.slice(0, at);
    const between = before.endsWith('\n') ? '' : '\n';
    return before + between + lines.replace(/^(?=.)/gm, indent) + text.slice(at);
  }
  const comma = map.items.length > 0 ? ',' : '';
  const isSpread = /^\s*\n/.test(text.slice((map.range?.[0] ?? 0) + 1, start));
  const flow = isJson
    ? JSON.stringify(members, null, isSpread ? step(text) : undefined)
    : stringify(members, FLOW).trim();
  const inner = flow
    .slice(1, -1)
    .trim()
    .replaceAll(`\n${step(text)}`, `\n${indent}`);
  const space = isSpread ? `\n${indent}` : ' ';
  return text.slice(0, end) + comma + space + inner + (comma === '' ? ' ' : '') + text.slice(end);
}

const FLOW = {
  aliasDuplicateObjects: false,
  collectionStyle: 'flow',
  lineWidth: 0,
  singleQuote: true,
} as const;

/** What a level is indented by. */
function step(text: string): string {
  return /^[{[]?\r?\n([ \t]+)/m.exec(text)?.[1] ?? '  ';
}

export function setIn(root: Record<string, unknown>, at: readonly string[], value: unknown): void {
  const [name = '', ...rest] = at;
  if (rest.length === 0) root[name] = value;
  else setIn((root[name] ??= {}) as Record<string, unknown>, rest, value); // an object, or made now
}
