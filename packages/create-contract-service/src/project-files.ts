import { readdir, readFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SERVICE_SETTINGS } from 'contract-server';
import { OIDC_SETTINGS } from 'contract-server/auth';
import type { ContractDocument, Operation } from 'contract-server/contract';
import { credentialsSource, strategiesSource } from './auth-sources.js';
import { groupOperations, handlersSource, operationsSource } from './operation-sources.js';
import { publishedText } from './published-text.js';
import type { SampleRequest } from './sample-requests.js';
import { usableSchemes, type Scheme } from './security-schemes.js';
import { testSource } from './test-sources.js';

export interface ProjectFile {
  /** From the project's root. */
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly isProgram?: boolean;
}

export interface Project {
  readonly name: string;
  readonly contractPath: string;
  readonly document: ContractDocument;
  /** The operations that are served. */
  readonly operations: readonly Operation[];
  /** The operations that are answered with 501. */
  readonly refused: readonly Operation[];
  /** Whether the contract is served as others have published it. */
  readonly asPublished: boolean;
  /** The file that makes the bodies of errors. */
  readonly errorBody: string;
  readonly samples: ReadonlyMap<Operation, SampleRequest>;
  readonly schemes: readonly Scheme[];
  /** The packages that come along; none where they are from the registry. */
  readonly vendored: readonly string[];
}

const TEMPLATES = fileURLToPath(new URL('../templates', import.meta.url));
const VENDOR = fileURLToPath(new URL('../vendor', import.meta.url));

/** Templates that npm wouldn't pack, or npm or eslint would take for ours, by their names in a project. */
const RENAMED: Readonly<Record<string, string>> = {
  gitignore: '.gitignore',
  'ci-run': '.ci/run',
  'eslint-config.js': 'eslint.config.js',
};

/** All files of a project that are written from templates, or from what its contract says. */
export async function projectFiles(project: Project): Promise<ProjectFile[]> {
  const { operations, samples, schemes } = project;
  const groups = groupOperations(project.document, operations);
  return [
    ...(await templateFiles(project)),
    { path: '.env.example', content: environmentExample() },
    { path: 'src/error-body.ts', content: project.errorBody },
    {
      path: 'src/auth/strategies.ts',
      content: strategiesSource(project.name, schemes, operations),
    },
    { path: 'src/handlers.ts', content: handlersSource(groups) },
    {
      path: 'tests/support/credentials.ts',
      content: credentialsSource(schemes, untestedIds(project)),
    },
    ...groups.flatMap((group) => [
      { path: `src/operations/${group.file}.ts`, content: operationsSource(group) },
      {
        path: `tests/operations/${group.file}.test.ts`,
        content: testSource(group, samples, schemes),
      },
    ]),
  ];
}

/** Operations whose requests the project's tests don't generate. */
function untestedIds({ operations, refused, samples, schemes }: Project): string[] {
  const isTested = (operation: Operation): boolean =>
    samples.has(operation) &&
    usableSchemes(operation, schemes) !== undefined &&
    [...operation.responses.keys()].some((status) => status.startsWith('2'));
  const untested = [...refused, ...operations.filter((operation) => !isTested(operation))];
  return untested.map(({ operationId }) => operationId);
}

/**
 * The packages, as they lie beside this one.
 * @throws where there are none, because it was built without them
 */
export async function vendorFiles(): Promise<ProjectFile[]> {
  const names = await readdir(VENDOR);
  return Promise.all(
    names
      .filter((name) => name.endsWith('.tgz'))
      .map(async (name) => ({
        path: `vendor/${name}`,
        content: await readFile(join(VENDOR, name)),
      })),
  );
}

async function templateFiles(project: Project): Promise<ProjectFile[]> {
  const entries = await readdir(TEMPLATES, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(
    files.map(async ({ parentPath, name }) => {
      const file = join(parentPath, name);
      const path = RENAMED[name] ?? relative(TEMPLATES, file);
      const content = fillIn(path, await readFile(file, 'utf8'), project);
      return { path, content, isProgram: path === '.ci/run' };
    }),
  );
}

/** The few places in which a template differs from project to project. */
function fillIn(path: string, text: string, project: Project): string {
  const { name, contractPath, operations, refused, asPublished, vendored } = project;
  const filled = (asPublished ? publishedText(path, text) : text)
    .replaceAll('service-name', name)
    .replaceAll('api/openapi.yaml', contractPath)
    .replace('{{operations}}', operationTable(operations, refused));
  if (path !== 'package.json') return filled;
  return vendored.reduce((json, file) => {
    const packageName = basename(file).replace(/-\d+\.\d+\.\d+.*\.tgz$/, '');
    return json.replace(`"${packageName}": "^1.0.0"`, `"${packageName}": "file:${file}"`);
  }, filled);
}

function operationTable(operations: readonly Operation[], refused: readonly Operation[]): string {
  const rowOf = ({ method, pathTemplate }: Operation, cell: string): string[] => [
    `\`${method} ${pathTemplate}\``,
    cell,
  ];
  const rows = [
    ...operations.map((operation) => rowOf(operation, `\`${operation.operationId}\``)),
    ...refused.map((operation) => rowOf(operation, 'not served: answered with 501')),
  ];
  return [['Request', 'Operation'], ['---', '---'], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function environmentExample(): string {
  const tokensFile = {
    variable: 'TOKENS_FILE',
    fallback: 'data/tokens',
    meaning: 'The file of the digests of the tokens; read again when it changes.',
  };
  const settings = [
    ...Object.values(SERVICE_SETTINGS),
    tokensFile,
    ...Object.values(OIDC_SETTINGS),
  ].map(
    ({ variable, fallback, meaning }) =>
      `# ${meaning.replaceAll('`', '')}\n# ${variable}=${fallback}`,
  );
  return `${['# Copy to .env.', ...settings].join('\n\n')}\n`;
}
