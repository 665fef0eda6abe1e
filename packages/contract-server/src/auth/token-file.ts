import { hash, randomBytes } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigError } from '../service/settings.js';

/** What is kept of a token: never the token itself. */
export interface TokenRecord {
  readonly name: string;
  readonly sha256: string;
  readonly createdAt: string;
  /** ISO 8601; null where it doesn't expire. */
  readonly expiresAt: string | null;
  /** What it may be used for (RFC 6749 §3.3). */
  readonly scopes: readonly string[];
}

export interface NewToken {
  /** Null, or left out, where it doesn't expire. */
  readonly expiresAt?: Date | null;
  readonly scopes?: readonly string[];
  /** What the token begins with, so that secret scanners find one that leaked. */
  readonly prefix?: string;
}

interface Revocation {
  readonly name: string;
  readonly revokedAt: string;
}

/** The tokens file can't be understood. Until it can, every token is refused. */
export class TokenFileError extends Error {
  override readonly name = 'TokenFileError';
}

/** A token's name also stands in the log and in the store, so it is kept plain. */
const NAME = /^[A-Za-z0-9._-]{1,64}$/;
/** RFC 6749 §3.3: what a scope can be made of. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;
/** A prefix keeps a token from beginning with a hyphen, as an option of a command does. */
const PREFIX = 'token_';
/** Without dots, which would give a token the form of a JWT. */
const PREFIX_FORM = /^[A-Za-z0-9_-]*$/;
const SHA256 = /^[0-9a-f]{64}$/;

/** The SHA-256 of a token, in hexadecimal. A token has 256 random bits, so it needs no salt. */
export function digest(token: string): string {
  return hash('sha256', token);
}

/**
 * Reads the tokens that have not been revoked, expired ones included; none where there is no file.
 * @throws TokenFileError
 */
export function readTokens(path: string): TokenRecord[] {
  const records = new Map<string, TokenRecord>();
  for (const [index, line] of readLines(path).entries()) {
    const entry = parseLine(line);
    if (entry === undefined) {
      throw new TokenFileError(
        `${path}, line ${index + 1}: is not an entry of a tokens file; restore the line, or remove it`,
      );
    }
    if ('revokedAt' in entry) records.delete(entry.name);
    else records.set(entry.name, entry);
  }
  return [...records.values()];
}

/**
 * Makes a token of 32 random bytes and keeps its digest under a name that is not in use.
 * @returns the token itself, which cannot be had again
 * @throws TokenFileError where the name is taken, or name, prefix or scopes are not as they must be
 */
export function createToken(
  path: string,
  name: string,
  { expiresAt = null, scopes = [], prefix = PREFIX }: NewToken = {},
): string {
  if (!NAME.test(name)) {
    throw new TokenFileError('a token\'s name has 1 to 64 letters, digits, ".", "_" and "-"');
  }
  if (!PREFIX_FORM.test(prefix)) {
    throw new TokenFileError('a token\'s prefix has letters, digits, "_" and "-" alone');
  }
  const wrong = scopes.find((scope) => !SCOPE.test(scope));
  if (wrong !== undefined) {
    throw new TokenFileError(
      `${JSON.stringify(wrong)} is not a scope: a scope has no spaces and no quotes`,
    );
  }
  if (readTokens(path).some((record) => record.name === name)) {
    throw new TokenFileError(
      `there is a token ${name} already; revoke it first, or choose another name`,
    );
  }
  const token = prefix + randomBytes(32).toString('base64url');
  append(path, {
    name,
    sha256: digest(token),
    createdAt: new Date().toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    scopes,
  });
  return token;
}

/**
 * Where no tokens file exists yet, makes a first token, so that a new service can be used at once.
 * @returns the private file that holds the token; undefined where there was nothing to do
 * @throws ConfigError where the tokens file can't be read or understood: the service would refuse everybody
 */
export function createFirstToken(tokensFile: string, options: NewToken = {}): string | undefined {
  if (existsSync(tokensFile)) {
    checkTokens(tokensFile);
    return undefined;
  }
  const token = createToken(tokensFile, 'first', options);
  const path = join(dirname(tokensFile), 'first-token');
  writeFileSync(path, `${token}\n`, { mode: 0o600 });
  return path;
}

function checkTokens(tokensFile: string): void {
  try {
    readTokens(tokensFile);
  } catch (error) {
    const { message } = error as Error; // whatever fails in there throws one
    const where = error instanceof TokenFileError ? '' : `${tokensFile}: `;
    throw new ConfigError([`the tokens file can't be used: ${where}${message}`]);
  }
}

/** @throws TokenFileError where there is no such token */
export function revokeToken(path: string, name: string): void {
  if (!readTokens(path).some((record) => record.name === name)) {
    throw new TokenFileError(`there is no token ${name}`);
  }
  append(path, { name, revokedAt: new Date().toISOString() });
}

/** Appends a line in one write, so that lines of several processes never mix. */
function append(path: string, entry: TokenRecord | Revocation): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  appendFileSync(path, `${JSON.stringify(entry)}\n`, { mode: 0o600, flush: true });
  chmodSync(path, 0o600);
}

function readLines(path: string): string[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
}

function parseLine(line: string): TokenRecord | Revocation | undefined {
  let entry: Partial<TokenRecord & Revocation>;
  try {
    entry = JSON.parse(line) as typeof entry; // each member is checked below
  } catch {
    return undefined;
  }
  // A token that was made before tokens had scopes has none.
  const { name, revokedAt, sha256, createdAt, expiresAt, scopes = [] } = entry;
  if (typeof name !== 'string' || !NAME.test(name)) return undefined;
  if (typeof revokedAt === 'string') return { name, revokedAt };
  if (typeof sha256 !== 'string' || !SHA256.test(sha256)) return undefined;
  if (typeof createdAt !== 'string') return undefined;
  if (expiresAt !== null && (expiresAt === undefined || Number.isNaN(Date.parse(expiresAt))))
    return undefined;
  if (!Array.isArray(scopes) || !scopes.every((scope) => SCOPE.test(String(scope))))
    return undefined;
  return { name, sha256, createdAt, expiresAt, scopes };
}
