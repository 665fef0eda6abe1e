import { isObject, isReference, type ContractDocument, type Schema } from '../document/document.js';

/** One way to satisfy a schema: every schema of the list holds at once, and no branch is left open. */
export type Way = readonly Schema[];

/** More combinations of branches than these say nothing new. */
const MAX_WAYS = 64;

/** All ways to satisfy a schema: `$ref` followed, `allOf` joined, a branch of `oneOf` and `anyOf` chosen. */
export function waysOf(
  document: ContractDocument,
  schema: unknown,
  seen: readonly unknown[] = [],
): Way[] {
  if (schema === false || seen.includes(schema)) return [];
  if (!isObject(schema)) return [[]];
  const within = [...seen, schema];
  const waysOfPart = (part: unknown): Way[] => waysOf(document, part, within);
  const referred = typeof schema.$ref === 'string' ? [document.lookUp(schema.$ref)] : [];
  if (document.hasOnlyReference(schema)) return waysOfPart(referred[0]);

  let ways: Way[] = [[schema]];
  const joinWith = (others: readonly Way[]): void => {
    ways = ways.flatMap((way) => others.map((other) => [...way, ...other])).slice(0, MAX_WAYS);
  };
  for (const part of [...referred, ...listOf(schema.allOf)]) joinWith(waysOfPart(part));
  for (const branches of [schema.oneOf, schema.anyOf]) {
    if (!Array.isArray(branches)) continue;
    joinWith(
      branches.flatMap((branch: unknown) => {
        const kind = discriminatedBy(schema.discriminator, branch);
        return waysOfPart(branch).map((way) => (kind === undefined ? way : [...way, kind]));
      }),
    );
  }
  return ways;
}

/** What a discriminator asks of the values of one branch (OpenAPI 3.1.0 §4.8.25). */
function discriminatedBy(discriminator: unknown, branch: unknown): Schema | undefined {
  if (!isObject(discriminator) || !isReference(branch)) return undefined;
  const { propertyName } = discriminator;
  if (typeof propertyName !== 'string') return undefined;
  const name = branch.$ref.slice(branch.$ref.lastIndexOf('/') + 1);
  const mapping = isObject(discriminator.mapping) ? discriminator.mapping : {};
  const mapped = Object.entries(mapping).flatMap(([value, target]) =>
    target === branch.$ref || target === name ? [value] : [],
  );
  return {
    required: [propertyName],
    properties: { [propertyName]: { enum: mapped.length > 0 ? mapped : [name] } },
  };
}

export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

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
  return way.some(({ format }) => format === 'int64' || format === 'uint64');
}

/** The values that `const` and `enum` leave; undefined where neither stands there. */
export function constantsOf(way: Way): unknown[] | undefined {
  const lists = way.flatMap((schema) => {
    if (Object.hasOwn(schema, 'const')) return [[schema.const]];
    return Array.isArray(schema.enum) ? [schema.enum as unknown[]] : [];
  });
  const [first, ...others] = lists;
  return first?.filter((value) =>
    others.every((list) => list.some((one) => JSON.stringify(one) === JSON.stringify(value))),
  );
}

/** What a schema gives as an example of its values, `default` included, the best first. */
export function examplesOf(schema: Schema): unknown[] {
  const examples = Array.isArray(schema.examples) ? (schema.examples as unknown[]) : [];
  return [schema.example, ...examples, schema.default].filter((value) => value !== undefined);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
