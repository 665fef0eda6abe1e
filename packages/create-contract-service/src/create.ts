import { mkdtemp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ContractError, readContract } from 'contract-server';
import {
  checkOperations,
  describeProblem,
  listOperations,
  nameProblems,
  type ContractDocument,
} from 'contract-server/contract';
import { contractTypes } from 'contract-server/generate';
import { contractCopy } from './contract-copy.js';
import { errorBodySource } from './error-body.js';
import { ProjectError } from './project-error.js';
import { projectFiles, vendorFiles, type ProjectFile } from './project-files.js';
import { createSampleRequests } from './sample-requests.js';
import { listSchemes } from './security-schemes.js';

export interface ProjectOptions {
  readonly folder: string;
  /** The path of the contract. */
  readonly contract: string;
  /** Adds the responses that the contract lacks to the project's copy of it. */
  readonly addResponses: boolean;
  /** Serves the contract as it was published, without changing it. */
  readonly asPublished: boolean;
  /** Takes the packages from the registry instead of bringing them along. */
  readonly registry: boolean;
}

/**
 * Writes a new project for a contract; whole, or not at all.
 * @returns what a reader should know of it
 * @throws ProjectError, ContractError, and what the system says of files
 */
export async function createProject(options: ProjectOptions): Promise<{ warnings: string[] }> {
  const folder = resolve(options.folder);
  await refuseUsedFolder(folder);
  const text = await readFile(options.contract, 'utf8');
  const original = await readContract(options.contract);
  const copy = contractCopy(options.contract, text, original, options);
  // A sibling, so that it becomes the project in one step.
  await mkdir(dirname(folder), { recursive: true });
  const draft = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`));
  try {
    const contractFile = join(draft, copy.path);
    await write(draft, [{ path: copy.path, content: copy.text }]);
    const document = await readContract(contractFile);
    const { files, warnings } = await makeFiles(document, copy.path, basename(folder), options);
    await write(draft, files);
    await rename(draft, folder);
    return { warnings };
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

async function makeFiles(
  document: ContractDocument,
  contractPath: string,
  name: string,
  { registry, asPublished }: ProjectOptions,
): Promise<{ files: ProjectFile[]; warnings: string[] }> {
  const all = listOperations(document);
  const { unsupported } = checkOperations(document, all);
  const problems = [
    ...nameProblems(document).values(),
    ...[...unsupported.values()].flat().map(describeProblem),
  ];
  if (problems.length > 0 && !asPublished) throw new ContractError(problems);
  const operations = all.filter((operation) => !unsupported.has(operation));
  if (operations.length === 0) {
    throw new ProjectError('the contract has no operation that can be served');
  }
  const errorBody = errorBodySource(document, operations, asPublished);
  const { samples, missing } = await createSampleRequests(document, operations);
  if (missing.length > 0 && !asPublished) throw new ProjectError(missing.join('\n'));
  const schemes = listSchemes(document, operations);
  const vendored = registry ? [] : await vendorFiles();
  const files = [
    ...(await projectFiles({
      name: packageName(name),
      contractPath,
      document,
      operations,
      refused: [...unsupported.keys()],
      asPublished,
      errorBody,
      samples,
      schemes,
      vendored: vendored.map(({ path }) => path),
    })),
    { path: 'generated/openapi.ts', content: await contractTypes(document) },
    ...vendored,
  ];
  const stubs = schemes.filter(({ kind }) => kind === 'unsupported');
  const warnings = [
    ...stubs.map(
      ({ name: scheme }) =>
        `security scheme ${scheme}: its strategy refuses everybody until you write it, in src/auth/strategies.ts`,
    ),
    ...[...unsupported].map(
      ([{ operationId }, [problem]]) =>
        `${operationId}: is answered with 501: ${problem?.what ?? ''}`,
    ),
    ...missing.map((problem) => `${problem}; its test is left to write`),
  ];
  return { files, warnings };
}

async function refuseUsedFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isDirectory()) throw new ProjectError(`${folder}: is a file; name a new folder`);
  if ((await readdir(folder)).length > 0)
    throw new ProjectError(`${folder}: is not empty; name a new folder, or an empty one`);
}

async function write(root: string, files: readonly ProjectFile[]): Promise<void> {
  for (const { path, content, isProgram = false } of files) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content, { mode: isProgram ? 0o755 : 0o644 });
  }
}

/** What npm takes for the name of a package. */
function packageName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '');
  return name === '' ? 'service' : name;
}
