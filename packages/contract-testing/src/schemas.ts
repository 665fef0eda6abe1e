import { child, isObject, join, type JsonObject } from './document.js';

/** In the copy for the validator, each schema says with this keyword where in the contract it is. */
export const AT = 'x-at';
/** And with this one that its numbers are to be integers, of this format where that is one. */
export const EXACT = 'x-exact-integer';

/**
 * Requests needn't have what is read-only, responses what is write-only; and no response may have it,
 * since it would be a secret given away (OpenAPI 3.0.3 §4.7.24.1).
 */
export type Direction = 'request' | 'response';

/** Of a Media Type Object, a Parameter Object or a Header Object. */
const SCHEMA_MEMBERS = ['schema', 'itemSchema', 'x-item-schema'];
const ONE_SCHEMA = [
  ...['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'],
  ...['unevaluatedItems', 'unevaluatedProperties', 'contentSchema'],
];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const WITHOUT_EFFECT = [
  ...['example', 'examples', 'default', 'discriminator', 'xml', 'externalDocs', 'id', 'nullable'],
];

/**
 * A copy of a contract whose schemas a JSON Schema 2020-12 validator takes: those of OpenAPI 3.0 are
 * translated, and each is marked with its place.
 */
export function schemasFor(direction: Direction, root: JsonObject): JsonObject {
  const isOld = String(root.openapi).startsWith('3.0');

  function copy(value: unknown, pointer: string): unknown {
    if (!isObject(value)) return value;
    if (Array.isArray(value)) return value.map((item, n) => copy(item, join(pointer, n)));
    return mapMembers(value, pointer, (name, member, at) => {
      if (SCHEMA_MEMBERS.includes(name) || pointer === '/components/schemas')
        return schema(member, at);
      return name === 'example' || name === 'examples' ? undefined : copy(member, at);
    });
  }

  function schema(value: unknown, pointer: string): unknown {
    if (!isObject(value)) return value;
    const { $ref } = value;
    if (isOld && $ref !== undefined) return { [AT]: pointer, $ref };
    const copied = mapMembers(value, pointer, (name, member, at) => {
      if (WITHOUT_EFFECT.includes(name)) return undefined;
      if (ONE_SCHEMA.includes(name)) return schema(member, at);
      if (LISTS.includes(name) && Array.isArray(member)) {
        return member.map((item, n) => schema(item, join(at, n)));
      }
      if (MAPS.includes(name) && isObject(member)) {
        return mapMembers(member, at, (_name, item, itemAt) =>
          name === 'properties' && isSecret(item) ? false : schema(item, itemAt),
        );
      }
      return member;
    });
    return {
      ...copied,
      ...(isOld ? fromOpenApi30(value) : {}),
      ...requiredIn(value, pointer),
      ...exactness(value),
      [AT]: pointer,
    };
  }

  function isSecret(property: unknown): boolean {
    const place = child(root, { pointer: '', value: { property } }, 'property');
    return direction === 'response' && place?.value.writeOnly === true;
  }

  function requiredIn(value: JsonObject, pointer: string): JsonObject {
    if (!Array.isArray(value.required)) return {};
    const hidden = direction === 'request' ? 'readOnly' : 'writeOnly';
    const properties = child(root, { pointer, value }, 'properties');
    return {
      required: value.required.filter((name: unknown) => {
        const property = properties && child(root, properties, String(name));
        return property?.value[hidden] !== true;
      }),
    };
  }

  // A document is an object, and so is its copy.
  return copy(root, '') as JsonObject;
}

/** `nullable` and the boolean `exclusiveMinimum` of OpenAPI 3.0.3 §4.7.24, as JSON Schema says it today. */
function fromOpenApi30(schema: JsonObject): Record<string, unknown> {
  const { type, nullable, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  return {
    ...(nullable === true && typeof type === 'string' ? { type: [type, 'null'] } : {}),
    ...limit('exclusiveMinimum', exclusiveMinimum, 'minimum', minimum),
    ...limit('exclusiveMaximum', exclusiveMaximum, 'maximum', maximum),
  };
}

function limit(exclusive: string, is: unknown, inclusive: string, value: unknown): JsonObject {
  if (typeof is !== 'boolean') return {};
  return is ? { [exclusive]: value, [inclusive]: undefined } : { [exclusive]: undefined };
}

/** The validator sees doubles; whether they are the integers that were written is asked elsewhere. */
function exactness({ type, format }: JsonObject): JsonObject {
  if (format === 'int32' || format === 'int64') return { [EXACT]: format };
  return type === 'integer' ? { [EXACT]: 'integer' } : {};
}

function mapMembers(
  value: JsonObject,
  pointer: string,
  map: (name: string, member: unknown, at: string) => unknown,
): JsonObject {
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, map(name, member, join(pointer, name))])
      .filter(([, member]) => member !== undefined),
  ) as JsonObject;
}
