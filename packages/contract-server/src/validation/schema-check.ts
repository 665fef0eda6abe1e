import {
  ContractError,
  referenceProblems,
  type ContractProblem,
} from '../document/contract-error.js';
import type { ContractWarning } from '../document/contract-warning.js';
import type { ContractDocument } from '../document/document.js';
import { findPointer } from '../json/pointer.js';
import type { Operation } from '../operation/operation.js';
import { KeywordError } from './normalise/keywords.js';
import type { SchemaWarning } from './normalise/normaliser.js';
import { slicesIn, reachedComponents, sliceOperation } from './slice.js';

/**
 * Checks the schemas of all operations as far as that goes without compiling them: references lead
 * somewhere, keywords and patterns are right. `report` gets what is wrong. Returns a warning for
 * what the validators can't enforce as it stands.
 */
export function checkSchemas(
  document: ContractDocument,
  operations: readonly Operation[],
  report: (operation: Operation, problem: ContractProblem) => void,
): ContractWarning[] {
  const warnings = new Map<object, Map<string, Set<string>>>();
  const wrong: { operation: Operation; error: KeywordError }[] = [];
  for (const operation of operations) {
    try {
      for (const { schema, what } of warningsOf(document, operation)) {
        const ofSchema = warnings.get(schema) ?? new Map<string, Set<string>>();
        const operationIds = ofSchema.get(what) ?? new Set();
        warnings.set(schema, ofSchema.set(what, operationIds.add(operation.operationId)));
      }
    } catch (error) {
      if (error instanceof KeywordError) wrong.push({ operation, error });
      else if (!(error instanceof ContractError)) throw error;
      else for (const problem of referenceProblems(error)) report(operation, problem);
    }
  }
  const pointers = findPointers(
    document.root,
    new Set([...warnings.keys(), ...wrong.map(({ error }) => error.schema)]),
  );
  const pointerOf = (schema: object): string => pointers.get(schema) ?? '';
  for (const { operation, error } of wrong) {
    for (const what of error.problems) {
      report(operation, { place: pointerOf(error.schema), what });
    }
  }
  return [...warnings].flatMap(([schema, ofSchema]) =>
    [...ofSchema].map(([what, operationIds]) => ({
      operationIds: [...operationIds],
      pointer: pointerOf(schema),
      what,
    })),
  );
}

function warningsOf(document: ContractDocument, operation: Operation): readonly SchemaWarning[] {
  const slices = slicesIn(sliceOperation(document, operation));
  const components = [...reachedComponents(document, slices).values()];
  for (const { error } of components) if (error !== undefined) throw error;
  return [...slices, ...components].flatMap(({ warnings }) => [...warnings]);
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
