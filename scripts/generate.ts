/** `npm run generate` writes the contract's types; `-- --check` fails where they are out of date. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { contractTypes } from './contract-types.js';

const CONTRACT = new URL('../api/openapi.yaml', import.meta.url);
const TYPES = new URL('../generated/openapi.d.ts', import.meta.url);

const { values: options } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const types = await contractTypes(CONTRACT);

if (!options.check) {
  await mkdir(new URL('.', TYPES), { recursive: true });
  await writeFile(TYPES, types);
} else if ((await readFile(TYPES, 'utf8').catch(() => '')) !== types) {
  console.error(
    `${fileURLToPath(TYPES)} is not what ${fileURLToPath(CONTRACT)} generates: run "npm run generate" and commit the result.`,
  );
  process.exitCode = 1;
}
