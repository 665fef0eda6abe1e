/**
 * `npm run bench:large`: serves large contracts and says what their size costs. One is GitHub's; one is
 * made of schemas that all reach each other.
 */
import { parseArgs } from 'node:util';
import { readCommandLine, UsageError } from '../command-line.js';
import { agent } from './large-contract/contract-calls.js';
import { measureGitHub } from './large-contract/github.js';
import { measurePayments } from './large-contract/payments.js';
import { installPackages } from './process/packages.js';

const CONTRACTS: Readonly<Record<string, () => Promise<void>>> = {
  github: measureGitHub,
  payments: measurePayments,
};

const { only = Object.keys(CONTRACTS) } = readCommandLine(
  'usage: npm run bench:large [-- --only github|payments]',
  (args) => {
    const { values } = parseArgs({ args, options: { only: { type: 'string', multiple: true } } });
    const unknown = values.only?.find((name) => CONTRACTS[name] === undefined);
    if (unknown !== undefined) throw new UsageError(`there is no contract ${unknown}`);
    return values;
  },
);
installPackages();
for (const name of only) {
  console.log(`${name}:`);
  await CONTRACTS[name]?.();
}
agent.destroy();
