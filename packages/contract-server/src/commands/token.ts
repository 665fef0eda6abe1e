import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createToken, readTokens, revokeToken, TokenFileError } from '../auth/token-file.js';
import { UsageError, type Command } from '../command.js';

/** Where a project keeps its tokens, if it doesn't say otherwise. */
const TOKENS = 'data/tokens';

export const token: Command = {
  summary: 'makes, lists and revokes the tokens that a service takes',
  usage: `usage: contract-server token create NAME [--scope SCOPE]... [--expires 90d] [--prefix TEXT]
       contract-server token list
       contract-server token revoke NAME
  create           prints a new token; it cannot be shown again
  list             the names, and when they were made and expire
  revoke           a running service refuses it within a second
  --scope SCOPE    what it may be used for; once for each scope
  --expires 90d    when it ends: so many minutes, hours or days, as in 30m, 12h, 90d
  --prefix TEXT    what it begins with
  --file FILE      the tokens file; if left out, TOKENS_FILE from the environment or .env, or ${TOKENS}`,

  run(args) {
    try {
      if (existsSync('.env')) process.loadEnvFile();
      runToken(args);
      return Promise.resolve(0);
    } catch (error) {
      if (!(error instanceof TokenFileError)) throw error;
      console.error(error.message);
      return Promise.resolve(1);
    }
  },
};

function runToken(args: readonly string[]): void {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      expires: { type: 'string' },
      scope: { type: 'string', multiple: true, default: [] },
      prefix: { type: 'string' },
      file: { type: 'string' },
    },
  });
  const [command, name, ...rest] = positionals;
  if (rest.length > 0) throw new UsageError(`too many arguments: ${rest.join(' ')}`);
  const named = process.env.TOKENS_FILE?.trim() ?? '';
  const file = values.file ?? (named === '' ? TOKENS : named);
  if (command === 'create' && name !== undefined) {
    const { scope: scopes, prefix } = values;
    const expiresAt = expiryOf(values.expires);
    console.log(createToken(file, name, { expiresAt, scopes, ...(prefix && { prefix }) }));
  } else if (command === 'revoke' && name !== undefined) {
    revokeToken(file, name);
    console.error(`revoked ${name}`);
  } else if (command === 'list' && name === undefined) {
    list(file);
  } else {
    throw new UsageError('token takes create NAME, list or revoke NAME');
  }
}

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

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
  for (const { name, createdAt, expiresAt, scopes } of readTokens(tokensFile)) {
    const isExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
    const expiry =
      expiresAt === null ? 'never expires' : `${isExpired ? 'expired' : 'expires'} ${expiresAt}`;
    const allowed = scopes.length === 0 ? '' : `\t${scopes.join(' ')}`;
    console.log(`${name}\tmade ${createdAt}\t${expiry}${allowed}`);
  }
}
