/** `npm run contract`: the operations of the contract as a table. `-- FILE` for another contract. */
import { fileURLToPath } from 'node:url';
import { ContractError, readContract } from '../src/contract/index.js';
import { listOperations, type Operation } from '../src/contract/operation.js';

const HEADINGS = ['method', 'path', 'operationId', 'security', 'takes', 'answers'];

function rowOf({ method, pathTemplate, operationId, security, requestBody, responses }: Operation) {
  const alternatives = security.map((schemes) => Object.keys(schemes).join(' and ') || 'nobody');
  return [
    method,
    pathTemplate,
    operationId,
    alternatives.join(' or ') || 'none',
    [...(requestBody?.content.keys() ?? ['-'])].join(', '),
    [...responses.keys()].join(' '),
  ];
}

function print(rows: readonly (readonly string[])[]): void {
  const widths = HEADINGS.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  for (const row of rows) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
}

try {
  const path = process.argv[2] ?? fileURLToPath(new URL('../api/openapi.yaml', import.meta.url));
  const problems: string[] = [];
  const operations = listOperations(await readContract(path), problems);
  print([HEADINGS, ...operations.map(rowOf)]);
  if (problems.length > 0) throw new ContractError(problems);
} catch (error) {
  if (!(error instanceof ContractError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
