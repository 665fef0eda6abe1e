import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readContract } from '../../document/read-contract.js';
import type { FormatTypes } from './format-types.js';
import { contractTypes } from './contract-types.js';

/**
 * Writes the types of the contract in a file into another one, which stays untouched where it has them:
 * who watches it sees changes only.
 * @throws ContractError
 */
export async function writeTypes(
  contract: string,
  file: string,
  formats?: FormatTypes,
): Promise<void> {
  const types = await contractTypes(await readContract(contract), formats);
  if ((await textIn(file)) === types) return;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, types);
}

/** Whether a file has the types of a contract. */
export async function areTypesOf(
  contract: string,
  file: string,
  formats?: FormatTypes,
): Promise<boolean> {
  return (await textIn(file)) === (await contractTypes(await readContract(contract), formats));
}

function textIn(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
