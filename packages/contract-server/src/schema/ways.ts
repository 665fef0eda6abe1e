import { isObject, type ContractDocument, type Schema } from '../document/document.js';
import { discriminatedBy, discriminatorValues } from './discriminator.js';
import { hasBigints } from './integers.js';
import { unicodePattern } from './patterns.js';
import { alternativesOf, listOf, partsOf } from './traversal.js';
import type { JsonType } from './types.js';

/** One way to satisfy a schema: every schema of the list holds at once, and no branch is left open. */
export type Way = readonly Schema[];

/** More combinations of branches than these say nothing new. */
const MAX_WAYS = 64;

/** All ways to satisfy a schema: `$ref` followed, `allOf` joined, a branch of `oneOf` and `anyOf` chosen. */
export function waysOf(
  document: ContractDocument,
  schema: unknown,
  outer: readonly unknown[] = [],
): Way[] {
  if (schema === false || outer.includes(schema)) return [];
  if (!isObject(schema)) return [[]];
  const waysOfPart = (part: unknown): Way[] => waysOf(document, part, [...outer, schema]);
  let ways: Way[] = [document.hasOnlyReference(schema) ? [] : [schema]];
  const joinWith = (others: readonly Way[]): void => {
    ways = ways.flatMap((way) => others.map((other) => [...way, ...other])).slice(0, MAX_WAYS);
  };
  for (const part of partsOf(document, schema)) joinWith(waysOfPart(part));
  for (const branches of alternativesOf(document, schema)) {
    const kinds = kindsOf(document, schema, branches);
    joinWith(
      branches.flatMap((branch, index) =>
        waysOfPart(branch).map((way) => [...way, ...kinds.slice(index, index + 1)]),
      ),
    );
  }
  return ways;
}

/** What a discriminator asks of the values of each branch; empty where it asks nothing. */
function kindsOf(
  document: ContractDocument,
  { discriminator }: Schema,
  branches: readonly unknown[],
): Schema[] {
  if (!isObject(discriminator) || typeof discriminator.propertyName !== 'string') return [];
  const { propertyName } = discriminator;
  const values = discriminatorValues(document, discriminator, branches) ?? [];
  return values.map((some) => (some.length === 0 ? {} : discriminatedBy(propertyName, some)));
}

/** Which type a schema without `type` is about, by its keywords. */
const TYPE_BY_KEYWORD: readonly (readonly [RegExp, JsonType])[] = [
  [/^(properties|required|additionalProperties|m..Properties|patternProperties)$/, 'object'],
  [/^(items|prefixItems|m..Items|uniqueItems|contains)$/, 'array'],
  [/^(minimum|maximum|exclusiveM.+|multipleOf)$/, 'number'],
];

/** The type of the values that are made for a way; undefined where its schemas exclude each other. */
export function typeOfWay(way: Way): JsonType | undefined {
  const said = way.flatMap(({ type }) => (type === undefined ? [] : [[type].flat() as JsonType[]]));
  const [first, ...others] = said;
  if (first === undefined) {
    const keywords = way.flatMap((schema) => Object.keys(schema));
    const implied = TYPE_BY_KEYWORD.find(([keyword]) => keywords.some((one) => keyword.test(one)));
    return implied?.[1] ?? 'string';
  }
  const common = first
    .map((type) =>
      type === 'number' && others.some((one) => !one.includes(type)) ? 'integer' : type,
    )
    .filter((type) =>
      others.every((one) => one.includes(type) || (type === 'integer' && one.includes('number'))),
    );
  return common.find((type) => type !== 'null') ?? common[0];
}

/** Whether an integer must be exact beyond 2^53, as a `bigint` is. */
export function isExact(way: Way): boolean {
  return way.some(hasBigints);
}

/** All that the schemas of a way say of one member of an object. */
export function memberSchema(way: Way, name: string): unknown {
  return joined(
    way.flatMap((part) => {
      const properties = isObject(part.properties) ? part.properties : {};
      const patterns = Object.entries(
        isObject(part.patternProperties) ? part.patternProperties : {},
      );
      const matching = patterns
        .filter(([source]) => new RegExp(unicodePattern(source) ?? '$.', 'u').test(name))
        .map(([, schema]) => schema);
      if (Object.hasOwn(properties, name)) return [properties[name], ...matching];
      return matching.length > 0 ? matching : [part.additionalProperties];
    }),
  );
}

/** One schema that says what all of these say; `true` where none of them says anything. */
export function joined(schemas: readonly unknown[]): unknown {
  if (schemas.includes(false)) return false;
  const said = [...new Set(schemas)].filter((schema) => schema !== undefined && schema !== true);
  return said.length > 1 ? { allOf: said } : (said[0] ?? true);
}

/** The names of the members that the schemas of a way declare, and of those that they require. */
export function memberNames(way: Way): { declared: string[]; required: Set<string> } {
  const declared = way.flatMap(({ properties }) =>
    isObject(properties) ? Object.keys(properties) : [],
  );
  const required = way.flatMap((part) => listOf(part.required));
  return { declared: [...new Set(declared)], required: new Set(required.map(String)) };
}
