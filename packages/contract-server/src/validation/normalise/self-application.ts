import { isObject, type ContractDocument, type Schema } from '../../document/document.js';
import { KeywordError } from './keywords.js';

/** Keywords whose schemas judge the same value as the schema that they stand in. */
const LISTS = ['allOf', 'oneOf', 'anyOf'];
const SINGLES = ['not', 'if', 'then', 'else'];

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
  const referred = typeof schema.$ref === 'string' ? [document.lookUp(schema.$ref)] : [];
  if (document.hasOnlyReference(schema)) return referred.filter(isObject);
  return [
    ...referred,
    ...LISTS.flatMap((keyword) => schema[keyword]),
    ...SINGLES.map((keyword) => schema[keyword]),
    ...(isObject(schema.dependentSchemas) ? Object.values(schema.dependentSchemas) : []),
  ].filter(isObject);
}
