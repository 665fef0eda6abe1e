import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { ContractDocument } from '../../document/document.js';
import { readContract } from '../../document/read-contract.js';

const run = promisify(execFile);

/** What the service's clients were promised, and what it is called. */
export interface ReleasedContract {
  readonly name: string;
  readonly document: ContractDocument;
}

/**
 * The contract as the newest release has it, of those that led to what is checked out (`v1.2.3`; an
 * `-rc` promises nothing); `api/released.yaml` where there is no such tag, or no git.
 * @throws ContractError where it can't be read
 */
export async function readReleasedContract(root: string): Promise<ReleasedContract> {
  const tag = await newestReleaseTag(root);
  const files = tag === undefined ? [] : await listFiles(root, tag);
  if (tag === undefined || !files.includes('api/openapi.yaml')) {
    const name = 'api/released.yaml';
    return { name, document: await readContract(join(root, name)) };
  }
  const folder = await mkdtemp(join(tmpdir(), 'released-'));
  try {
    for (const file of files) {
      const path = join(folder, file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, await git(root, 'show', `${tag}:./${file}`));
    }
    return { name: tag, document: await readContract(join(folder, 'api/openapi.yaml')) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function newestReleaseTag(root: string): Promise<string | undefined> {
  try {
    const tags = await git(root, 'tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-v:refname');
    return tags.split('\n').find((tag) => /^v\d+\.\d+\.\d+$/.test(tag));
  } catch {
    return undefined; // no git, no repository, or no commit in it
  }
}

/** All of api/, since a contract may be in several files. */
async function listFiles(root: string, tag: string): Promise<string[]> {
  const names = await git(root, 'ls-tree', '-r', '-z', '--name-only', tag, 'api/');
  return names.split('\0').filter((name) => name !== '');
}

async function git(root: string, ...args: string[]): Promise<string> {
  const { stdout } = await run('git', args, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}
