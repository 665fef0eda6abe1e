import type { ContractDocument, Schema } from '../document/document.js';
import { writeJson } from '../json/json.js';
import { bodyKindOf, sendableTypes } from '../operation/media-type.js';
import type { Operation } from '../operation/operation.js';
import { constantsOf } from '../schema/types.js';
import { memberNames, memberSchema, typeOfWay, waysOf, type Way } from '../schema/ways.js';
import { Choices } from './choices.js';
import type { ErrorMembers, ErrorSource, ProblemPart } from './error-body.js';
import { ValueMaker } from './value-maker.js';

export interface ErrorShape {
  readonly members: ErrorMembers;
  /** The schema, as the contract's responses have it. */
  readonly schema: Schema;
  /** The media type of the first response with this schema. */
  readonly mediaType: string;
}

/** The greatest code and status that the engine refuses with. */
const MAX_CODE = 59_999;
const MAX_DEPTH = 2;

/**
 * The shape that most error responses of a contract share, its members mapped by type and usual names
 * (RFC 9457 among them); undefined where none of them has room for a text.
 */
export function findErrorShape(
  document: ContractDocument,
  operations: readonly Pick<Operation, 'responses'>[],
): ErrorShape | undefined {
  const counts = new Map<string, { count: number; schema: Schema; mediaType: string }>();
  for (const { responses } of operations) {
    for (const [status, { content = {} }] of responses) {
      if (!/^([45]|default)/.test(status)) continue;
      for (const [mediaType, { schema }] of Object.entries(content)) {
        const isJson = sendableTypes(mediaType).some((type) => bodyKindOf(type) === 'json');
        if (schema === undefined || !isJson) continue;
        const key = writeJson(schema);
        const known = counts.get(key) ?? { count: 0, schema, mediaType };
        counts.set(key, { ...known, count: known.count + 1 });
      }
    }
  }
  const byCount = [...counts.values()].sort((a, b) => b.count - a.count);
  for (const { schema, mediaType } of byCount) {
    const members = membersOf(document, schema, 0);
    if (members !== undefined) return { members, schema, mediaType };
  }
  return undefined;
}

/** Undefined where a text that a client could read has no place. */
function membersOf(
  document: ContractDocument,
  schema: unknown,
  depth: number,
): ErrorMembers | undefined {
  const way = waysOf(document, schema).find((one) => typeOfWay(one) === 'object');
  if (way === undefined || depth > MAX_DEPTH) return undefined;
  const { declared, required } = memberNames(way);
  const names = [...new Set([...declared, ...required])];
  const sources: Record<string, ErrorSource> = {};
  for (const name of names) {
    const member = memberSchema(way, name);
    const source = sourceOf(document, name, member, depth);
    if (source !== undefined) sources[name] = source;
    else if (required.has(name)) sources[name] = madeValue(document, name, member);
  }
  const isText = (source: ErrorSource): boolean =>
    source.from === 'message' || (source.from === 'members' && hasText(source.members));
  const hasText = (members: ErrorMembers): boolean => Object.values(members).some(isText);
  if (!hasText(sources)) {
    // A title alone has to carry the text.
    const title = names.find((name) => sources[name]?.from === 'title');
    if (title === undefined) return undefined;
    sources[title] = { from: 'message' };
  }
  return sources;
}

const NAMES: readonly (readonly [RegExp, ErrorSource['from']])[] = [
  [/^(http_?)?status(_?code)?$/i, 'status'],
  [/^(error_?)?(code|number)$|^error$|^errno$/i, 'code'],
  [/^(title|summary|reason)$/i, 'title'],
  [/^(error_?)?(message|detail|details|description|msg|text)$/i, 'message'],
];

function sourceOf(
  document: ContractDocument,
  name: string,
  schema: unknown,
  depth: number,
): ErrorSource | undefined {
  const [way] = waysOf(document, schema);
  if (way === undefined) return undefined;
  const named = NAMES.find(([pattern]) => pattern.test(name))?.[1];
  const type = typeOfWay(way);
  // A member with constants can't hold anything of an error.
  if (constantsOf(way) !== undefined || name === 'type') return undefined;
  if (type === 'integer' || type === 'number') {
    if (named === 'code') return { from: admits(way, MAX_CODE) ? 'code' : 'status' };
    return named === 'status' ? { from: 'status' } : undefined;
  }
  if (type === 'string') {
    if (/^error$/i.test(name) || (named === 'title' && admitsText(way))) return { from: 'title' };
    if (named === 'message') return { from: 'message' };
    if (!admitsText(way)) return undefined;
    if (named === 'code') return { from: 'codeText' };
    return named === 'status' ? { from: 'statusText' } : undefined;
  }
  if (type === 'array' && /^(errors|problems|violations|issues|details)$/i.test(name))
    return problemsIn(document, way);
  if (type === 'object' && /^errors?$|^problem$|^fault$/i.test(name)) {
    const members = membersOf(document, schema, depth + 1);
    return members && { from: 'members', members };
  }
  return undefined;
}

/** A list that may be empty, of objects that a pointer and a text fill. */
function problemsIn(document: ContractDocument, way: Way): ErrorSource | undefined {
  if (way.some(({ minItems, maxItems }) => Number(minItems ?? 0) > 0 || maxItems !== undefined))
    return undefined;
  const [items] = waysOf(document, way.find((part) => part.items !== undefined)?.items ?? true);
  if (items === undefined || typeOfWay(items) !== 'object') return undefined;
  const named: Record<string, ProblemPart> = {};
  const { declared, required } = memberNames(items);
  for (const name of declared) {
    const [member] = waysOf(document, memberSchema(items, name));
    if (member === undefined || typeOfWay(member) !== 'string' || !admitsText(member)) continue;
    if (/^(pointer|path|field|location)$/i.test(name)) named[name] = 'pointer';
    if (/^(detail|message|reason|description|error)$/i.test(name)) named[name] = 'message';
  }
  const isWhole = [...required].every((name) => Object.hasOwn(named, name));
  return isWhole && Object.values(named).includes('message')
    ? { from: 'problems', items: named }
    : undefined;
}

function admits(way: Way, value: number): boolean {
  return way.every(
    ({ maximum, exclusiveMaximum, format }) =>
      Number(maximum ?? Infinity) >= value &&
      (typeof exclusiveMaximum !== 'number' || exclusiveMaximum > value) &&
      format !== 'int8',
  );
}

function admitsText(way: Way): boolean {
  return way.every(({ pattern, format }) => pattern === undefined && format === undefined);
}

/** RFC 9457 §4.2.1: a problem of no type of its own. */
const UNTYPED: ErrorSource = { from: 'value', value: 'about:blank' };

function madeValue(document: ContractDocument, name: string, schema: unknown): ErrorSource {
  const isOpen = waysOf(document, schema).every((way) => constantsOf(way) === undefined);
  if (name === 'type' && isOpen) return UNTYPED;
  const choices = new Choices(0);
  const maker = new ValueMaker(document, { direction: 'response', choices, useExamples: true });
  return { from: 'value', value: maker.make(schema) };
}
