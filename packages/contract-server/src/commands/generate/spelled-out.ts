import { isObject, type OpenApiObject, type ParameterObject } from '../../document/document.js';
import { inQuery } from '../../operation/querystring.js';

type Components = NonNullable<OpenApiObject['components']>;

const HEADER = /^#\/components\/headers\/(.+)$/;
const COMPONENT = /^#\/components\/schemas\/([^/]+)$/;
const DEFINITION = /^#\/components\/schemas\/([^/]+)\/\$defs\/([^/]+)$/;

/**
 * A contract as openapi-typescript reads it right, meaning the same. It takes every header behind a
 * `$ref` for a required one, `$defs` for a member, and the name of a schema in a discriminator's
 * mapping (OpenAPI 3.1.0 §4.8.25) for a file; and what others serve, webhooks and callbacks, for
 * operations of ours.
 */
export function spellOut({
  webhooks: _others,
  ...document
}: OpenApiObject & { readonly webhooks?: unknown }): OpenApiObject {
  // Of what OpenAPI 3.2 added, nothing is left that a type could say otherwise than 3.1.
  const openapi = document.openapi.startsWith('3.2.') ? '3.1.0' : document.openapi;
  const hoisted = { ...document, openapi, ...hoistDefinitions(document) };
  const { headers = {}, schemas = {} } = hoisted.components ?? {};
  const children = childrenOf(schemas);
  const spell = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((item) => spell(item));
    if (!isObject(value)) return value;
    if (typeof value.$ref === 'string') {
      const header = headers[HEADER.exec(value.$ref)?.[1] ?? ''];
      if (header !== undefined) return header;
      const [, schema, name] = DEFINITION.exec(value.$ref) ?? [];
      if (schema !== undefined && name !== undefined)
        return { ...value, $ref: refTo(hoistedName(schema, name)) };
    }
    // OpenAPI 3.2.0 §4.12.1: what it knows best is a parameter in the query.
    if (value.in === 'querystring') return spell(inQuery(value as unknown as ParameterObject));
    // Only an Operation Object has responses, and only there callbacks are those of OpenAPI.
    const isOperation = isObject(value.responses) && 'callbacks' in value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => !(isOperation && name === 'callbacks'))
        // By its name alone such a branch can't be told from the others.
        .filter(([name, member]) => name !== 'discriminator' || !hasDefaultMapping(member))
        .map(([name, member]) => [
          name,
          name === 'discriminator'
            ? spellMapping(member, schemas, [...branchesOf(value), ...(children.get(value) ?? [])])
            : spell(member),
        ]),
    );
  };
  return spell(hoisted) as OpenApiObject; // the same document but for what is spelled out
}

function hasDefaultMapping(discriminator: unknown): boolean {
  return isObject(discriminator) && 'defaultMapping' in discriminator;
}

/** Makes the `$defs` of a component schema components of their own. */
function hoistDefinitions({ components }: OpenApiObject): { components?: Components } {
  if (components?.schemas === undefined) return {};
  const schemas = Object.entries(components.schemas).flatMap(
    ([name, schema]: [string, unknown]) => {
      if (!isObject(schema) || !isObject(schema.$defs)) return [[name, schema] as const];
      const { $defs, ...rest } = schema;
      const definitions = Object.entries($defs).map(
        ([inner, definition]) => [hoistedName(name, inner), definition] as const,
      );
      return [[name, rest] as const, ...definitions];
    },
  );
  return { components: { ...components, schemas: Object.fromEntries(schemas) } };
}

function hoistedName(schema: string, definition: string): string {
  return `${schema}.${definition}`;
}

/** The component schemas that a schema is one of. */
function branchesOf({ oneOf, anyOf }: Readonly<Record<string, unknown>>): string[] {
  return [oneOf, anyOf].flat().flatMap((branch) => componentIn(branch) ?? []);
}

/** By each component schema, those that it is a part of. */
function childrenOf(schemas: Components[string]): Map<unknown, string[]> {
  const children = new Map<unknown, string[]>();
  for (const [name, schema] of Object.entries(schemas)) {
    const parts: readonly unknown[] = isObject(schema) ? [schema.allOf].flat() : [];
    for (const parent of parts.flatMap((part) => componentIn(part) ?? [])) {
      children.set(schemas[parent], [...(children.get(schemas[parent]) ?? []), name]);
    }
  }
  return children;
}

function componentIn(schema: unknown): string | undefined {
  if (!isObject(schema) || typeof schema.$ref !== 'string') return undefined;
  return COMPONENT.exec(schema.$ref)?.[1];
}

/** Every value of a discriminator with the schema it stands for: a schema's name stands for itself. */
function spellMapping(
  discriminator: unknown,
  schemas: object,
  implied: readonly string[],
): unknown {
  if (!isObject(discriminator)) return discriminator;
  const mapping = new Map(
    Object.entries(discriminator.mapping ?? {}).map(([value, to]: [string, unknown]) => [
      value,
      typeof to === 'string' && Object.hasOwn(schemas, to) ? refTo(to) : to,
    ]),
  );
  const mapped = new Set(mapping.values());
  for (const name of implied) if (!mapped.has(refTo(name))) mapping.set(name, refTo(name));
  return mapping.size === 0
    ? discriminator
    : { ...discriminator, mapping: Object.fromEntries(mapping) };
}

function refTo(schema: string): string {
  return `#/components/schemas/${schema}`;
}
