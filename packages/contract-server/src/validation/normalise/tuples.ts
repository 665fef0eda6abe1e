import { listOf } from '../../schema/traversal.js';
import type { Rule, SchemaDraft } from './rule.js';

/** How many items beyond those of `prefixItems` are still judged by their position. */
const ITEMS_BEYOND = 8;

/**
 * The validator refuses to load `prefixItems` (JSON Schema 2020-12 §10.3.1.1) unless the array has
 * exactly as many items. So an array of another length is written as one of several of exact length.
 */
export const spellOutTuples: Rule = (schema, draft, { normalise, warn }) => {
  if (!Array.isArray(schema.prefixItems) || schema.prefixItems.length === 0) return;
  const prefix = schema.prefixItems.map(normalise);
  const rest = draft.items ?? true;
  const least = Number(draft.minItems ?? 0);
  const allowed = Number(draft.maxItems ?? Infinity);
  const greatest = rest === false ? Math.min(allowed, prefix.length) : allowed;
  const spelled = Math.min(greatest, prefix.length + ITEMS_BEYOND);
  Reflect.deleteProperty(draft, 'items');

  const lengths: SchemaDraft[] = [];
  for (let length = least; length <= spelled; length++) {
    const items = Array.from({ length }, (_, index) => prefix[index] ?? rest);
    lengths.push({
      ...(length > 0 && { prefixItems: items }),
      minItems: length,
      maxItems: length,
    });
  }
  if (greatest > spelled) {
    lengths.push({ minItems: Math.max(least, spelled + 1), items: { anyOf: [...prefix, rest] } });
    warn(
      `prefixItems: in an array of more than ${spelled} items no item is judged by its position`,
    );
  }
  // No length is allowed at all where minItems is greater than maxItems.
  const alternatives = lengths.length > 0 ? { anyOf: lengths } : { not: { type: 'array' } };
  draft.allOf = [...listOf(draft.allOf), alternatives];
};
