import { isObject } from '../src/contract/document/document.js';

/** The document of a contract, as far as it is looked at here. */
export interface ContractDocument {
  readonly webhooks?: unknown;
  readonly components?: Components;
}

interface Components {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly schemas?: Readonly<Record<string, unknown>>;
}

const HEADER = /^#\/components\/headers\/(.+)$/;
const DEFINITION = /^#\/components\/schemas\/([^/]+)\/\$defs\/([^/]+)$/;

/**
 * A contract as openapi-typescript reads it right, meaning the same. It takes every header behind a
 * `$ref` for a required one, `$defs` for a member, and the name of a schema in a discriminator's
 * mapping (OpenAPI 3.1.0 §4.8.25) for a file; and what others serve, webhooks and callbacks, for
 * operations of ours.
 */
export function generatorInput({
  webhooks: _others,
  ...document
}: ContractDocument): ContractDocument {
  const { headers = {}, schemas = {} } = document.components ?? {};
  const spell = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(spell);
    if (!isObject(value)) return value;
    if (typeof value.$ref === 'string') {
      const header = headers[HEADER.exec(value.$ref)?.[1] ?? ''];
      if (header !== undefined) return header;
      const [, schema, name] = DEFINITION.exec(value.$ref) ?? [];
      if (schema !== undefined && name !== undefined)
        return { ...value, $ref: `#/components/schemas/${hoistedName(schema, name)}` };
    }
    // Only an Operation Object has responses, and only there callbacks are those of OpenAPI.
    const isOperation = isObject(value.responses) && 'callbacks' in value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => !(isOperation && name === 'callbacks'))
        .map(([name, member]) => [
          name,
          name === 'discriminator' ? spellMapping(member, schemas) : spell(member),
        ]),
    );
  };
  const hoisted = { ...document, ...hoistDefinitions(document) };
  return spell(hoisted) as ContractDocument; // the same document but for what is spelled out
}

/** Makes the `$defs` of a component schema components of their own. */
function hoistDefinitions({ components }: ContractDocument): { components?: Components } {
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

function spellMapping(discriminator: unknown, schemas: object): unknown {
  if (!isObject(discriminator) || !isObject(discriminator.mapping)) return discriminator;
  const mapping = Object.entries(discriminator.mapping).map(([value, to]) => [
    value,
    typeof to === 'string' && Object.hasOwn(schemas, to) ? `#/components/schemas/${to}` : to,
  ]);
  return { ...discriminator, mapping: Object.fromEntries(mapping) as object };
}
