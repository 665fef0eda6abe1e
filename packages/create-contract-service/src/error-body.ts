import type { ContractDocument, Operation } from 'contract-server/contract';
import {
  findErrorShape,
  PROBLEM_DETAILS,
  type ErrorMembers,
  type ErrorSource,
} from 'contract-server/mock';
import { ProjectError } from './project-error.js';
import { keyOf, sourceOf } from './source-text.js';

const YAML = `components:
  responses:
    Error:
      description: What the service refuses, or can not do.
      content:
        application/json:
          schema:
            type: object
            required: [code, message]
            properties:
              code: { type: integer }
              message: { type: string }`;

/**
 * The file that makes the bodies of errors; problem details (RFC 9457) for a contract that is served as
 * it was published, and has no error response with room for a text.
 * @throws ProjectError for another contract without one
 */
export function errorBodySource(
  document: ContractDocument,
  operations: readonly Operation[],
  asPublished: boolean,
): string {
  const found = findErrorShape(document, operations)?.members;
  const members = found ?? (asPublished ? PROBLEM_DETAILS : undefined);
  if (members === undefined) {
    throw new ProjectError(
      `the contract has no error response whose JSON body has a member for a text. Declare one, such as this, and refer to it from the operations' responses:\n\n${YAML}`,
    );
  }
  const used = [...new Set(partsOf(members))].sort();
  const title = used.includes('title') ? `import { STATUS_CODES } from 'node:http';\n` : '';
  const parts = used.filter((part) => part !== 'title');
  if (title !== '' && !parts.includes('status')) parts.push('status');
  return `${title}import type { ApiError } from 'contract-server';

/** The contract's error body. */
export function errorBody({ ${parts.join(', ')} }: ApiError) {
  return ${objectOf(members, 1)};
}
`;
}

function partsOf(members: ErrorMembers): string[] {
  return Object.values(members).flatMap((source) => {
    if (source.from === 'members') return partsOf(source.members);
    if (source.from === 'value') return [];
    if (source.from === 'problems') return ['problems'];
    return [source.from.replace('Text', '')];
  });
}

function objectOf(members: ErrorMembers, depth: number): string {
  const indent = '  '.repeat(depth);
  const lines = Object.entries(members).map(
    ([name, source]) => `${indent}  ${memberOf(name, source, depth)},`,
  );
  return ['{', ...lines, `${indent}}`].join('\n');
}

function memberOf(name: string, source: ErrorSource, depth: number): string {
  const key = keyOf(name);
  switch (source.from) {
    case 'code':
    case 'status':
    case 'message':
      return key === source.from ? key : `${key}: ${source.from}`;
    case 'codeText':
      return `${key}: String(code)`;
    case 'statusText':
      return `${key}: String(status)`;
    case 'title':
      return `${key}: STATUS_CODES[status] ?? 'Error'`;
    case 'value':
      return `${key}: ${sourceOf(source.value, depth + 1)}`;
    case 'problems':
      return `${key}: problems.map(({ ${[...new Set(Object.values(source.items))].join(', ')} }) => ({ ${Object.entries(
        source.items,
      )
        .map(([item, part]) => (item === part ? item : `${keyOf(item)}: ${part}`))
        .join(', ')} }))`;
    case 'members':
      return `${key}: ${objectOf(source.members, depth + 1)}`;
  }
}
