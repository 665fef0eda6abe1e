import { isObject } from '../document/document.js';
import { unicodePattern } from '../schema/patterns.js';
import type { Way } from './schema-ways.js';

/** All that an object's schemas say of one member. */
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
