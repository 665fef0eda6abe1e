import { extname } from 'node:path';
import {
  addedResponses,
  addToText,
  listMissingResponses,
  yamlOf,
  type AddedValue,
  type ContractDocument,
} from 'contract-server/contract';
import { ProjectError } from './project-error.js';

interface CopyOptions {
  /** Adds the responses that the contract lacks to the project's copy of it. */
  readonly addResponses: boolean;
  /** Copies the contract as it is, whatever it lacks. */
  readonly asPublished: boolean;
}

/**
 * A project's copy of a contract.
 * @throws ProjectError with the YAML to paste, where responses are missing and are not to be added
 */
export function contractCopy(
  file: string,
  text: string,
  document: ContractDocument,
  { addResponses, asPublished }: CopyOptions,
): { path: string; text: string } {
  const isJson = extname(file) === '.json';
  const referred = [...text.matchAll(/\$ref['"]?\s*:\s*['"]?([^'"\s#]+)/g)];
  // OpenAPI 3.2.0 §4.1.1: a contract may refer to itself by its own URI.
  if (referred.some(([, uri]) => uri !== Reflect.get(document.root, '$self'))) {
    throw new ProjectError(
      `${file}: is in several files; make one of them first, such as with: npx @redocly/cli bundle ${file} -o bundled.yaml`,
    );
  }
  const added = asPublished ? [] : addedResponses(document);
  if (added.length > 0 && !addResponses) throw new ProjectError(describe(file, document, added));
  const path = isJson ? 'api/openapi.json' : 'api/openapi.yaml';
  return { path, text: addToText(text, isJson, added) };
}

function describe(file: string, document: ContractDocument, added: readonly AddedValue[]): string {
  const { operations, unmatched } = listMissingResponses(document);
  const lines = operations.map(
    ({ operationId, statuses }) => `  ${operationId}: ${statuses.join(', ')}`,
  );
  if (unmatched.length > 0)
    lines.push(`  requests that reach no operation: ${unmatched.join(', ')}`);
  return [
    `${file}: the service may answer with statuses that the contract doesn't declare:`,
    ...lines,
    'Paste this into it, or have it added to the copy with --add-responses:',
    '',
    yamlOf(added),
  ].join('\n');
}
