import { readFile, writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { parseArgs } from 'node:util';
import { ContractError } from '../../document/contract-error.js';
import { addToText } from '../../document/insert-text.js';
import { readContract } from '../../document/read-contract.js';
import { addedResponses } from './added-responses.js';
import { CONTRACT, UsageError, type Command } from '../../command.js';

export const addResponses: Command = {
  summary: 'writes the answers that a contract lacks into it',
  usage: `usage: contract-server add-responses [CONTRACT] [--check]
  CONTRACT  the contract, in one file; if left out, ${CONTRACT}
  --check   writes nothing, and exits with 1 where an answer is missing
Adds one response for all errors, in the shape that most of the contract's own have, and refers to it
from every operation that doesn't declare what the service may answer. Comments and order stay.`,

  async run(args) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { check: { type: 'boolean', default: false } },
    });
    const [contract = CONTRACT, ...others] = positionals;
    if (others.length > 0)
      throw new UsageError(`add-responses takes one contract, not ${positionals.join(', ')}`);
    const document = await readContract(contract);
    const added = addedResponses(document);
    const places = added.map(({ at }) => `  ${at.join(' > ')}`);
    if (added.length === 0) {
      console.log(`${contract} declares every answer that a service of it may give`);
    } else if (values.check) {
      console.error(
        [`${contract} lacks, for "contract-server add-responses":`, ...places].join('\n'),
      );
      return 1;
    } else {
      if (document.file === undefined) {
        throw new ContractError([`${contract}: is in several files; bundle them into one first`]);
      }
      const text = await readFile(contract, 'utf8');
      await writeFile(contract, addToText(text, extname(contract) === '.json', added));
      console.log([`added to ${contract}:`, ...places].join('\n'));
    }
    return 0;
  },
};
