import { readContract } from '../document/read-contract.js';
import { listOperations, type Operation } from '../operation/operation.js';
import { CONTRACT, UsageError, type Command } from '../command.js';

export const list: Command = {
  summary: 'prints the operations of a contract as a table',
  usage: `usage: contract-server list [CONTRACT]
  CONTRACT  the contract; if left out, ${CONTRACT}`,

  async run(args) {
    const [contract = CONTRACT, ...others] = args;
    if (others.length > 0) throw new UsageError(`list takes one contract, not ${args.join(', ')}`);
    const operations = listOperations(await readContract(contract));
    print([HEADINGS, ...operations.map(rowOf)]);
    return 0;
  },
};

const HEADINGS = ['method', 'path', 'operationId', 'security', 'takes', 'answers'];

function rowOf({ method, pathTemplate, operationId, security, requestBody, responses }: Operation) {
  const alternatives = security.map(
    (schemes) => Object.entries(schemes).map(schemeOf).join(' and ') || 'none',
  );
  return [
    method,
    pathTemplate,
    operationId,
    alternatives.join(' or ') || 'none',
    [...(requestBody?.content.keys() ?? ['-'])].join(', '),
    [...responses.keys()].join(' '),
  ];
}

function schemeOf([name, scopes]: readonly [string, readonly string[]]): string {
  return scopes.length === 0 ? name : `${name} (${scopes.join(', ')})`;
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
