import { isObject, type ContractDocument, type Schema } from '../../document/document.js';
import { alternativesOf, conditionalsOf, partsOf } from '../../schema/traversal.js';
import { KeywordError } from './keywords.js';

/**
 * Refuses a schema that applies itself to the same value, as with an `allOf` that refers to it: to
 * judge by it would never end (JSON Schema 2020-12 core §9.4.1). Inside a value it may stand again.
 * @throws KeywordError
 */
export function refuseSelfApplication(document: ContractDocument, schema: Schema): void {
  const seen = new Set<unknown>();
  const queue = appliedBy(document, schema);
  for (let part = queue.pop(); part !== undefined; part = queue.pop()) {
    if (part === schema) {
      throw new KeywordError(schema, ['the schema is a part of itself, so no value can be judged']);
    }
    if (!seen.has(part)) queue.push(...appliedBy(document, part));
    seen.add(part);
  }
}

function appliedBy(document: ContractDocument, schema: Schema): Schema[] {
  const tested = document.hasOnlyReference(schema) ? [] : [schema.not, schema.if];
  return [
    ...partsOf(document, schema),
    ...alternativesOf(document, schema).flat(),
    ...conditionalsOf(document, schema),
    ...tested,
  ].filter(isObject);
}
