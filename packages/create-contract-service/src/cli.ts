import { parseArgs } from 'node:util';
import { ContractError } from 'contract-server';
import { createProject } from './create.js';
import { ProjectError } from './project-error.js';

const USAGE = `usage: npm create contract-service FOLDER -- --contract FILE [--add-responses | --as-published] [--registry]
  FOLDER           where the project is written; must be new, or empty
  --contract FILE  its contract: OpenAPI 3.0, 3.1 or 3.2, YAML or JSON, in one file
  --add-responses  adds the responses that the contract lacks to the project's copy of it
  --as-published   serves the contract as others have published it: the copy stays as it is, operations
                   that can't be served answer with 501
  --registry       takes contract-server and contract-testing from the registry, not from vendor/`;

/** Nothing was written: the contract, or the folder, isn't as it must be. */
const EXIT_REFUSED = 1;
/** The arguments are wrong. */
const EXIT_USAGE = 2;

/** Runs `create-contract-service` with these arguments; resolves with its exit status. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(USAGE);
    return 0;
  }
  const parsed = parse(args);
  if (typeof parsed === 'string') {
    console.error(`${parsed}\n\n${USAGE}`);
    return EXIT_USAGE;
  }
  try {
    const { warnings } = await createProject(parsed);
    for (const warning of warnings) console.error(`note: ${warning}`);
    console.log(
      `made ${parsed.folder}; next:\n  cd ${parsed.folder}\n  npm install\n  npm test\n  npm start`,
    );
    return 0;
  } catch (error) {
    if (!isForPeople(error)) throw error;
    console.error(error.message);
    return EXIT_REFUSED;
  }
}

function parse(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        contract: { type: 'string' },
        'add-responses': { type: 'boolean', default: false },
        'as-published': { type: 'boolean', default: false },
        registry: { type: 'boolean', default: false },
      },
    });
    const [folder, ...others] = positionals;
    if (folder === undefined) return 'a folder is missing';
    if (others.length > 0) return `one folder is enough: ${positionals.join(', ')}`;
    const { contract, registry, 'add-responses': addResponses } = values;
    const { 'as-published': asPublished } = values;
    if (contract === undefined) return 'the contract is missing: --contract FILE';
    if (addResponses && asPublished) {
      return 'either --add-responses, which changes the copy, or --as-published, which does not';
    }
    return { folder, contract, registry, addResponses, asPublished };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function isForPeople(error: unknown): error is Error {
  if (error instanceof ProjectError || error instanceof ContractError) return true;
  return error instanceof Error && 'syscall' in error;
}
