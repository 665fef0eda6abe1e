import { parseArgs } from 'node:util';
import { CONTRACT, TYPES, UsageError, type Command } from './command.js';

export const generate: Command = {
  summary: "writes the TypeScript types of a contract's operations",
  usage: `usage: contract-server generate [CONTRACT] [--out FILE] [--check]
  CONTRACT    the contract; if left out, ${CONTRACT}
  --out FILE  where its types are written; if left out, ${TYPES}
  --check     writes nothing, and exits with 1 where the file isn't what would be written`,

  async run(args) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        out: { type: 'string', default: TYPES },
        check: { type: 'boolean', default: false },
      },
    });
    const [contract = CONTRACT, ...others] = positionals;
    if (others.length > 0)
      throw new UsageError(`generate takes one contract, not ${positionals.join(', ')}`);
    if (values.check) return (await areTypesCurrent(contract, values.out)) ? 0 : 1;
    const { writeTypes } = await loadGenerator();
    await writeTypes(contract, values.out);
    return 0;
  },
};

/** Whether a file has the types of a contract; says on standard error what to do where it doesn't. */
export async function areTypesCurrent(contract: string, file: string): Promise<boolean> {
  const { areTypesOf } = await loadGenerator();
  if (await areTypesOf(contract, file)) return true;
  console.error(
    `${file} is not what ${contract} generates: run "contract-server generate" and commit the result`,
  );
  return false;
}

/** Loaded only here: the compiler that it needs is no dependency of a service that runs. */
function loadGenerator(): Promise<typeof import('./generate/types-file.js')> {
  return import('./generate/types-file.js');
}
