import { listOf, lookUp, membersOf, type Members } from './members.js';

/** Which way a value travels: a readOnly member isn't sent, a writeOnly one not answered. */
export type Side = 'request' | 'response';

/** Under this name a validator knows the document, so that references in it lead somewhere. */
export const DOCUMENT_ID = 'contract';

const HIDING = { request: 'readOnly', response: 'writeOnly' } as const;

/**
 * A document whose schemas, those of OpenAPI 3.0 too, are JSON Schema draft 2020-12 that says what may
 * travel this way: `nullable`, boolean bounds, readOnly and writeOnly (OpenAPI 3.0.3 §4.7.24) are
 * spelled out. References become absolute.
 */
export function toJsonSchemas(root: Members, side: Side): Members {
  const is30 = String(root.openapi).startsWith('3.0.');

  function convert(value: unknown, hidden: ReadonlySet<string> = new Set()): unknown {
    if (Array.isArray(value)) return value.map((item) => convert(item));
    if (typeof value !== 'object' || value === null) return value;
    const source = membersOf(value);
    if (typeof source.$ref === 'string') {
      // What stands before the `#` can only be the document's own URI (OpenAPI 3.2.0 §4.1.1).
      const $ref = DOCUMENT_ID + source.$ref.slice(source.$ref.indexOf('#'));
      const beside = Object.fromEntries(Object.entries(source).filter(([name]) => name !== '$ref'));
      return is30 ? { $ref } : { ...membersOf(convert(beside, hidden)), $ref };
    }
    const hiddenHere = new Set([...hidden, ...hiddenBy(source)]);
    const converted: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(source)) {
      if (name === 'discriminator' || name === 'example' || name === 'examples') continue;
      converted[name] = name === 'allOf' ? convertParts(member, hiddenHere) : convert(member);
    }
    if (Array.isArray(source.required)) {
      converted.required = source.required.filter((name) => !hiddenHere.has(String(name)));
    }
    if (source.properties !== undefined && !('$ref' in membersOf(source.properties))) {
      converted.properties = Object.fromEntries(
        Object.entries(membersOf(source.properties)).map(([name, member]) => [
          name,
          isHidden(member) ? false : convert(member),
        ]),
      );
    }
    if (source.nullable === true && typeof source.type === 'string') {
      converted.type = [source.type, 'null'];
    }
    for (const [bound, exclusive] of [
      ['minimum', 'exclusiveMinimum'],
      ['maximum', 'exclusiveMaximum'],
    ] as const) {
      if (typeof source[exclusive] !== 'boolean') continue;
      Reflect.deleteProperty(converted, exclusive);
      if (!source[exclusive]) continue;
      converted[exclusive] = source[bound];
      Reflect.deleteProperty(converted, bound);
    }
    return converted;
  }

  /** What a part requires may be hidden by another, so parts that are references are copied. */
  function convertParts(parts: unknown, hidden: ReadonlySet<string>): unknown {
    return listOf(parts).map((part) => {
      const { $ref } = membersOf(part);
      const isInlined = hidden.size > 0 && typeof $ref === 'string';
      return convert(isInlined ? lookUp(root, $ref) : part, hidden);
    });
  }

  function isHidden(member: unknown): boolean {
    const { $ref, allOf, ...schema } = membersOf(member);
    if (typeof $ref === 'string' && isHidden(lookUp(root, $ref))) return true;
    if (typeof $ref === 'string' && is30) return false;
    return schema[HIDING[side]] === true || listOf(allOf).some(isHidden);
  }

  function hiddenBy(schema: Members): string[] {
    const { $ref, allOf, properties } = schema;
    const own = Object.entries(membersOf(properties)).filter(([, member]) => isHidden(member));
    const parts = [...listOf(allOf), ...(typeof $ref === 'string' ? [lookUp(root, $ref)] : [])];
    return [...own.map(([name]) => name), ...parts.flatMap((part) => hiddenBy(membersOf(part)))];
  }

  return membersOf(convert(root));
}
