import type { Schema } from './operation.js';
import { bodyKindOf } from './media-type.js';
import { listOf, lookUp, membersOf, type Members } from './members.js';

const BRANCHES = ['oneOf', 'anyOf'];

/**
 * The schema of events (OpenAPI 3.2.0 §4.14.4) as a handler has them: data that is JSON is its value.
 * That value is no string here, so that whoever writes an event knows which strings are texts.
 */
export function eventSchema(root: Members, schema: Schema): Schema {
  if (!someApplied(root, schema, (own) => someApplied(root, dataOf(own), isJsonText))) {
    return schema;
  }
  return mapApplied(root, schema, (own, isInBranch) => {
    if (!('data' in membersOf(own.properties))) return own;
    const data = mapApplied(root, dataOf(own), valueOfText, isInBranch);
    return { ...own, properties: { ...membersOf(own.properties), data } };
  });
}

function dataOf({ properties }: Members): Schema {
  return (membersOf(properties).data ?? true) as Schema;
}

function isJsonText({ contentMediaType }: Members): boolean {
  return typeof contentMediaType === 'string' && bodyKindOf(contentMediaType) === 'json';
}

const NO_STRING = { not: { type: 'string' } };

function valueOfText(own: Members, isInBranch: boolean): Members {
  if (isJsonText(own)) return { ...NO_STRING, allOf: [own.contentSchema ?? true] };
  // Outside the branches it speaks of every text, also of those that are JSON.
  const isAboutTexts = Object.keys(own).some((keyword) => !BRANCHES.includes(keyword));
  return isInBranch || !isAboutTexts ? own : { anyOf: [own, NO_STRING] };
}

/** A schema with each that judges the same value mapped, and what references lead to written out. */
function mapApplied(
  root: Members,
  schema: Schema,
  map: (own: Members, isInBranch: boolean) => Members,
  isInBranch = false,
): Schema {
  if (typeof schema === 'boolean') return schema;
  const { $ref, ...own } = schema;
  const inner = (keyword: string): Members => {
    if (own[keyword] === undefined) return {};
    const isBranch = isInBranch || keyword !== 'allOf';
    const parts = listOf(own[keyword]) as Schema[];
    return { [keyword]: parts.map((part) => mapApplied(root, part, map, isBranch)) };
  };
  const mapped = map(
    { ...own, ...inner('allOf'), ...inner('oneOf'), ...inner('anyOf') },
    isInBranch,
  );
  if (typeof $ref !== 'string') return mapped;
  return { allOf: [mapped, mapApplied(root, lookUp(root, $ref) as Schema, map, isInBranch)] };
}

function someApplied(root: Members, schema: Schema, test: (own: Members) => boolean): boolean {
  if (typeof schema === 'boolean') return false;
  const referred = typeof schema.$ref === 'string' ? [lookUp(root, schema.$ref)] : [];
  const parts = ['allOf', ...BRANCHES].flatMap((keyword) => listOf(schema[keyword]));
  return (
    test(schema) || [...referred, ...parts].some((part) => someApplied(root, part as Schema, test))
  );
}
