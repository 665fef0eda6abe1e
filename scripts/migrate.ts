/** `npm run migrate`: brings the schema of the store that `DATABASE_URL` names up to date. */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ConfigError, StartError } from 'contract-server';
import { readConfig } from '../src/config.js';
import { migrateStore } from '../src/open-store.js';
import { readCommandLine } from './command-line.js';

const USAGE = `usage: npm run migrate
  brings the schema of the store of DATABASE_URL up to date, with a role that owns it`;

readCommandLine(USAGE, (args) => parseArgs({ args, options: {} }));
if (existsSync('.env')) process.loadEnvFile();
try {
  await migrateStore(readConfig(process.env));
  console.log('the schema is up to date');
} catch (error) {
  const isForPeople = error instanceof ConfigError || error instanceof StartError;
  console.error(isForPeople ? error.message : error);
  process.exitCode = 2;
}
