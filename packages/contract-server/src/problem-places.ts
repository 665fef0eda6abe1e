import { ContractError } from './contract-error.js';
import { isReference, type ContractDocument } from './document/document.js';
import { findPointer, pointer } from './json/pointer.js';
import { placedOperations } from './operation/operation.js';

/**
 * An error whose problems begin with the file, the line and the column of what they are about, as far
 * as that stands in the contract.
 */
export async function locateProblems(
  document: ContractDocument,
  { problems }: ContractError,
): Promise<ContractError> {
  const pointers = pointersOfNames(document);
  const located = problems.map(async (problem) => {
    const [name = ''] = problem.split(': ', 1);
    const place = name.startsWith('/')
      ? name
      : (pointers.get(name) ?? findReference(document, name));
    return place === undefined ? problem : `${await document.locate(place)}${problem}`;
  });
  return new ContractError(await Promise.all(located));
}

/** By what a problem calls them, where operations and security schemes stand. */
function pointersOfNames(document: ContractDocument): Map<string, string> {
  const pointers = new Map<string, string>();
  for (const { method, pathTemplate, object } of placedOperations(document)) {
    const place = pointer(['paths', pathTemplate, method.toLowerCase()]);
    pointers.set(object.operationId ?? `${method} ${pathTemplate}`, place);
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
