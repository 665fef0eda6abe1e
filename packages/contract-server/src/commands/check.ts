import { parseArgs } from 'node:util';
import passport from 'passport';
import { ContractError } from '../document/contract-error.js';
import { summarizeWarnings, type ContractWarning } from '../document/contract-warning.js';
import type { ContractDocument } from '../document/document.js';
import { readContract } from '../document/read-contract.js';
import { listOperations } from '../operation/operation.js';
import { locateProblems } from '../operation/problem-places.js';
import { serveContract } from '../serve.js';
import { CONTRACT, TYPES, UsageError, type Command } from '../command.js';
import { parseFormatTypes } from './generate/format-types.js';
import { areTypesCurrent } from './generate/command.js';

export const check: Command = {
  summary: 'says what keeps a contract from being served, and whether its types are current',
  usage: `usage: contract-server check [CONTRACT] [--types FILE [--format MAPPING]... | --no-types] [--as-published]
  CONTRACT      the contract; if left out, ${CONTRACT}
  --types FILE  the types that generate has written of it; if left out, ${TYPES}
  --format MAPPING  as generate was given it
  --no-types    checks the contract alone
  --as-published  checks it as one that is served as it was published, and says what isn't held of it
Exits with 1 where something is wrong.`,

  async run(args) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        types: { type: 'string', default: TYPES },
        format: { type: 'string', multiple: true, default: [] },
        'no-types': { type: 'boolean', default: false },
        'as-published': { type: 'boolean', default: false },
      },
    });
    const [contract = CONTRACT, ...others] = positionals;
    if (others.length > 0)
      throw new UsageError(`check takes one contract, not ${positionals.join(', ')}`);
    const isServable = await canBeServed(await readContract(contract), values['as-published']);
    const formats = parseFormatTypes(values.format);
    const isCurrent =
      values['no-types'] || (await areTypesCurrent(contract, values.types, formats));
    return isServable && isCurrent ? 0 : 1;
  },
};

/** Whether a service with every handler and every strategy could start; prints why it couldn't. */
async function canBeServed(document: ContractDocument, asPublished: boolean): Promise<boolean> {
  const warnings: ContractWarning[] = [];
  try {
    const ids = listOperations(document).map(({ operationId }) => operationId);
    const schemes = Object.keys(document.root.components?.securitySchemes ?? {});
    await serveContract<Record<string, never>, unknown>({
      document,
      asPublished,
      handlers: Object.fromEntries(ids.map((id) => [id, neverCalled])),
      strategies: Object.fromEntries(schemes.map((name) => [name, new passport.Strategy()])),
      limits: { maxBodyBytes: 1, requestTimeoutMs: 1 },
      errorBody: neverCalled,
      checkAvailable: () => undefined,
      onFault: neverCalled,
      onWarning: (warning) => warnings.push(warning),
    });
    for (const { what, operations, first } of summarizeWarnings(warnings)) {
      console.error(`warning: ${what} (operations: ${operations}, as ${first.join(', ')})`);
    }
    return true;
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    console.error((await locateProblems(document, error)).message);
    return false;
  }
}

function neverCalled(): never {
  throw new Error('this service was only started to check its contract');
}
