/** `npm run --silent token -- create NAME [--expires 90d] | list | revoke NAME` */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createToken, readTokens, revokeToken, TokenFileError } from '../src/auth/token-file.js';
import { ConfigError, readConfig } from '../src/config.js';

const USAGE = `usage:
  token -- create NAME [--expires 90d]   prints a new token; it cannot be shown again
  token -- list                          the names, and when they were made and expire
  token -- revoke NAME                   a running service refuses it within a second
The file is TOKENS_FILE (data/tokens). --expires takes minutes, hours or days: 30m, 12h, 90d.`;

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

class UsageError extends Error {}

function run(args: string[]): void {
  const { values, positionals } = parse(args);
  const [command, name, ...rest] = positionals;
  if (rest.length > 0) throw new UsageError(`"${rest.join(' ')}" is too much`);
  const { tokensFile } = readConfig({ TOKENS_FILE: process.env.TOKENS_FILE });
  if (command === 'create' && name !== undefined) {
    console.log(createToken(tokensFile, name, expiryOf(values.expires)));
  } else if (command === 'revoke' && name !== undefined) {
    revokeToken(tokensFile, name);
    console.error(`revoked ${name}`);
  } else if (command === 'list' && name === undefined) {
    list(tokensFile);
  } else {
    throw new UsageError('a command is missing, or is not one of these');
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: { expires: { type: 'string' } } });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function expiryOf(lifetime: string | undefined): Date | null {
  if (lifetime === undefined) return null;
  const [, count, unit = ''] = /^([1-9]\d{0,5})([mhd])$/.exec(lifetime) ?? [];
  const unitMs = UNIT_MS[unit];
  if (count === undefined || unitMs === undefined) {
    throw new UsageError(`--expires must be like 30m, 12h or 90d; it is "${lifetime}"`);
  }
  return new Date(Date.now() + Number(count) * unitMs);
}

function list(tokensFile: string): void {
  for (const { name, createdAt, expiresAt } of readTokens(tokensFile)) {
    const isExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
    const expiry =
      expiresAt === null ? 'never expires' : `${isExpired ? 'expired' : 'expires'} ${expiresAt}`;
    console.log(`${name}\tmade ${createdAt}\t${expiry}`);
  }
}

try {
  if (existsSync('.env')) process.loadEnvFile();
  run(process.argv.slice(2));
} catch (error) {
  if (error instanceof UsageError) console.error(`${error.message}\n${USAGE}`);
  else if (error instanceof TokenFileError || error instanceof ConfigError)
    console.error(error.message);
  else throw error;
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
