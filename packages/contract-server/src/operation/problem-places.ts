import { ContractError } from '../document/contract-error.js';
import { isReference, type ContractDocument } from '../document/document.js';
import { findPointer, pointer } from '../json/pointer.js';
import { placedOperations } from './operation.js';

/** To find a line of a large contract takes a second, and a contract may have thousands of problems. */
const MAX_LOCATED = 50;

/**
 * An error whose first problems begin with the file, the line and the column of what they are about, as far
 * as that stands in the contract.
 */
export async function locateProblems(
  document: ContractDocument,
  { problems }: ContractError,
): Promise<ContractError> {
  const pointers = pointersOfNames(document);
  const located: string[] = [];
  // One after the other: each reads the contract's file.
  for (const problem of problems.slice(0, MAX_LOCATED)) {
    const [name = ''] = problem.split(': ', 1);
    const place = name.startsWith('/')
      ? name
      : (pointers.get(name) ?? findReference(document, name));
    located.push(place === undefined ? problem : `${await document.locate(place)}${problem}`);
  }
  return new ContractError([...located, ...problems.slice(MAX_LOCATED)]);
}

/** The JSON Pointers of operations and security schemes, by the names that problems give them. */
function pointersOfNames(document: ContractDocument): Map<string, string> {
  const pointers = new Map<string, string>();
  for (const { method, pathTemplate, operationId } of placedOperations(document)) {
    const place = pointer(['paths', pathTemplate, method.toLowerCase()]);
    pointers.set(operationId, place);
  }
  for (const name of Object.keys(document.root.components?.securitySchemes ?? {})) {
    const place = pointer(['components', 'securitySchemes', name]);
    pointers.set(`security scheme ${name}`, place);
  }
  return pointers;
}

/** Where a reference stands that has this text. */
function findReference({ root }: ContractDocument, ref: string): string | undefined {
  if (!ref.startsWith('#')) return undefined;
  return findPointer(root, (part) => isReference(part) && part.$ref === ref);
}
