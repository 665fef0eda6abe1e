import { parseArgs } from 'node:util';
import { parseFormatTypes, type FormatTypes } from './format-types.js';
import { CONTRACT, TYPES, UsageError, type Command } from '../../command.js';

export const generate: Command = {
  summary: "writes the TypeScript types of a contract's operations",
  usage: `usage: contract-server generate [CONTRACT] [--out FILE] [--format MAPPING]... [--check]
  CONTRACT    the contract; if left out, ${CONTRACT}
  --out FILE  where its types are written; if left out, ${TYPES}
  --format MAPPING  what handlers get and return in place of a format's texts: date-time=Date, or
              'ulid=Ulid from ../src/ulid.js', imported as the file of the types imports it
  --check     writes nothing, and exits with 1 where the file isn't what would be written`,

  async run(args) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        out: { type: 'string', default: TYPES },
        format: { type: 'string', multiple: true, default: [] },
        check: { type: 'boolean', default: false },
      },
    });
    const [contract = CONTRACT, ...others] = positionals;
    if (others.length > 0)
      throw new UsageError(`generate takes one contract, not ${positionals.join(', ')}`);
    const formats = parseFormatTypes(values.format);
    if (values.check) return (await areTypesCurrent(contract, values.out, formats)) ? 0 : 1;
    const { writeTypes } = await loadGenerator();
    await writeTypes(contract, values.out, formats);
    return 0;
  },
};

/** Whether a file has the types of a contract; says on standard error what to do where it doesn't. */
export async function areTypesCurrent(
  contract: string,
  file: string,
  formats: FormatTypes,
): Promise<boolean> {
  const { areTypesOf } = await loadGenerator();
  if (await areTypesOf(contract, file, formats)) return true;
  console.error(
    `${file} is not what ${contract} generates: run "contract-server generate" and commit the result`,
  );
  return false;
}

/** Loaded only here: the compiler that it needs is no dependency of a service that runs. */
function loadGenerator(): Promise<typeof import('./types-file.js')> {
  return import('./types-file.js');
}
