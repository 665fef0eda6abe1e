import { ContractError } from '../contract-error.js';
import type { ContractDocument } from '../document/document.js';
import type { Operation } from '../operation/operation.js';
import { KeywordError } from './normalise/keywords.js';
import { findPointer } from '../json/pointer.js';
import { sliceOperation } from './slice.js';

/** Something that the contract says and the service doesn't hold, or holds otherwise. */
export interface ContractWarning {
  readonly operationIds: readonly string[];
  /** Where in the contract: a JSON Pointer. */
  readonly pointer: string;
  readonly what: string;
}

/**
 * Checks the schemas of all operations as far as that goes without compiling them: references lead
 * somewhere, keywords and patterns are right. `problems` gets what is wrong; what the validators
 * can't be given as it stands is returned.
 */
export function checkSchemas(
  document: ContractDocument,
  operations: readonly Operation[],
  problems: string[],
): ContractWarning[] {
  const notes = new Map<object, Map<string, string[]>>();
  const wrong = new Map<object, Set<string>>();
  for (const operation of operations) {
    try {
      for (const { schema, what } of sliceOperation(document, operation).findings) {
        const notesOfSchema = notes.get(schema) ?? new Map<string, string[]>();
        const operationIds = notesOfSchema.get(what) ?? [];
        operationIds.push(operation.operationId);
        notes.set(schema, notesOfSchema.set(what, operationIds));
      }
    } catch (error) {
      if (error instanceof KeywordError) wrong.set(error.schema, new Set(error.problems));
      else if (error instanceof ContractError) problems.push(...error.problems);
      else throw error;
    }
  }
  const pointers = findPointers(document.root, new Set([...notes.keys(), ...wrong.keys()]));
  const pointerOf = (schema: object): string => pointers.get(schema) ?? '';
  for (const [schema, whats] of wrong) {
    for (const what of whats) problems.push(`${pointerOf(schema)}: ${what}`);
  }
  return [...notes].flatMap(([schema, whats]) =>
    [...whats].map(([what, operationIds]) => ({
      operationIds: [...new Set(operationIds)],
      pointer: pointerOf(schema),
      what,
    })),
  );
}

/** Where some objects stand in a document; only for them is it worth a walk through all of it. */
function findPointers(root: object, wanted: ReadonlySet<object>): Map<object, string> {
  const found = new Map<object, string>();
  if (wanted.size === 0) return found;
  findPointer(root, (part, here) => {
    if (wanted.has(part) && !found.has(part)) found.set(part, here());
    return found.size === wanted.size;
  });
  return found;
}
