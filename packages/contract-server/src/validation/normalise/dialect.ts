import type { Rule } from './rule.js';

/**
 * The rules that turn a schema of OpenAPI 3.0 into one of JSON Schema 2020-12, which OpenAPI 3.1
 * has, so that all that follow, and the validator, know one dialect.
 */

/**
 * OpenAPI 3.0.3 §4.7.24.1: `nullable` adds "null" to the `type` beside it, and means nothing where
 * there is none. It is no keyword of 3.1.
 */
export const nullableAsType: Rule = (schema, draft, { document, warn }) => {
  if (schema.nullable !== true) return;
  if (document.isOpenApi30 && typeof schema.type === 'string') {
    draft.type = schema.type === 'null' ? 'null' : [schema.type, 'null'];
  } else if (!document.isOpenApi30) {
    warn('nullable means nothing in OpenAPI 3.1, which has type: [..., "null"]');
  }
};

/** OpenAPI 3.0.3 §4.7.24: these are switches of the bound beside them; in 3.1 they are bounds. */
export const exclusiveAsBound: Rule = (_schema, draft, { document }) => {
  if (!document.isOpenApi30) return;
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const isExclusive = draft[exclusive] === true && draft[bound] !== undefined;
    // Removed and set again: a switch must never be left behind.
    Reflect.deleteProperty(draft, exclusive);
    if (!isExclusive) continue;
    draft[exclusive] = draft[bound];
    Reflect.deleteProperty(draft, bound);
  }
};

/**
 * The validator takes a string of these formats for a Date to be written, and then tells of a value
 * of another type only that it has no `toISOString`. It doesn't where the type stands in a list.
 */
export const keepDatesText: Rule = (_schema, draft) => {
  if (draft.type === 'string' && (draft.format === 'date' || draft.format === 'date-time')) {
    draft.type = ['string'];
  }
};
