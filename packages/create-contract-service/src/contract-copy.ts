import { extname } from 'node:path';
import {
  isObject,
  listMissingResponses,
  listOperations,
  type ContractDocument,
  type MissingResponses,
} from 'contract-server/contract';
import { findErrorShape } from 'contract-server/mock';
import { parseDocument, stringify } from 'yaml';
import { ProjectError } from './project-error.js';

/** The name of the response that is added to a contract. */
const RESPONSE = 'ServiceError';

/** Problem details (RFC 9457), for a contract that has no error body of its own. */
const PROBLEM = {
  type: 'object',
  required: ['title', 'status'],
  properties: {
    type: { type: 'string', format: 'uri-reference' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
  },
};

/**
 * A project's copy of a contract.
 * @throws ProjectError with the YAML to paste, where responses are missing and are not to be added
 */
export function contractCopy(
  file: string,
  text: string,
  document: ContractDocument,
  addResponses: boolean,
): { path: string; text: string } {
  const path = extname(file) === '.json' ? 'api/openapi.json' : 'api/openapi.yaml';
  if (/\$ref['"]?\s*:\s*['"]?(?!#)[^'"\s#]/.test(text)) {
    throw new ProjectError(
      `${file}: is in several files; make one of them first, such as with: npx @redocly/cli bundle ${file} -o bundled.yaml`,
    );
  }
  const missing = listMissingResponses(document);
  if (missing.operations.length === 0 && missing.unmatched.length === 0) return { path, text };
  const changes = changesFor(document, missing);
  if (!addResponses) throw new ProjectError(describe(file, missing, changes));
  const yaml = parseDocument(text);
  for (const { at, value } of changes) yaml.setIn(at, yaml.createNode(value));
  const isJson = extname(file) === '.json';
  return {
    path,
    text: isJson ? `${JSON.stringify(yaml.toJS(), null, 2)}\n` : yaml.toString({ lineWidth: 100 }),
  };
}

/** A value that a contract lacks, and where. */
interface Change {
  readonly at: readonly string[];
  readonly value: unknown;
}

function changesFor(document: ContractDocument, missing: MissingResponses): Change[] {
  const shape = findErrorShape(document, listOperations(document));
  const content = shape
    ? { [shape.mediaType]: { schema: shape.schema } }
    : { 'application/problem+json': { schema: PROBLEM } };
  const reference = { $ref: `#/components/responses/${RESPONSE}` };
  const { paths = {} } = document.root;
  const declared: object = document.root['x-unmatched-responses'] ?? {};
  const allow = { description: 'The methods that the path has, in `Allow`.' };
  return [
    ...missing.operations.map(({ method, pathTemplate }) => {
      const at = ['paths', pathTemplate, method.toLowerCase(), 'responses', 'default'];
      if (!isObject(paths[pathTemplate]?.[method.toLowerCase()]))
        throw new ProjectError(
          `${method} ${pathTemplate}: stands behind a reference; write it out`,
        );
      return { at, value: reference };
    }),
    ...(missing.unmatched.length === 0
      ? []
      : [
          {
            at: ['x-unmatched-responses'],
            value: {
              ...declared,
              ...(missing.unmatched.includes(204) && { '204': allow }),
              ...(missing.unmatched.some((status) => status !== 204) && { default: reference }),
            },
          },
        ]),
    {
      at: ['components', 'responses', RESPONSE],
      value: { description: 'What the service refuses, or can not do.', content },
    },
  ];
}

function describe(file: string, missing: MissingResponses, changes: readonly Change[]): string {
  const lines = missing.operations.map(
    ({ operationId, statuses }) => `  ${operationId}: ${statuses.join(', ')}`,
  );
  if (missing.unmatched.length > 0)
    lines.push(`  requests that reach no operation: ${missing.unmatched.join(', ')}`);
  const yaml: Record<string, unknown> = {};
  for (const { at, value } of changes) setIn(yaml, at, value);
  return [
    `${file}: the service may answer with statuses that the contract doesn't declare:`,
    ...lines,
    'Paste this into it, or have it added to the copy with --add-responses:',
    '',
    stringify(yaml, { aliasDuplicateObjects: false }).trimEnd(),
  ].join('\n');
}

function setIn(root: Record<string, unknown>, at: readonly string[], value: unknown): void {
  const [name = '', ...rest] = at;
  if (rest.length === 0) root[name] = value;
  else setIn((root[name] ??= {}) as Record<string, unknown>, rest, value); // made by the line before
}
