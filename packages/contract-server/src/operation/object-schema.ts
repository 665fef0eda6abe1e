import type { HeaderObject, Schema } from '../document/document.js';

/** In both dialects the schema of no value at all. */
export const NOTHING: Schema = { not: {} };

/** The schema of an object with these members. */
export function objectSchema(
  properties: readonly (readonly [string, Schema])[],
  required: readonly string[],
  more: Schema = {},
): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    // OpenAPI 3.0 knows no empty list here.
    ...(required.length > 0 && { required }),
    ...more,
  };
}

/** The schema of a header, whether it has a style or a media type. */
export function schemaOf({ schema, content = {} }: HeaderObject): Schema {
  return schema ?? Object.values(content)[0]?.schema ?? {};
}
