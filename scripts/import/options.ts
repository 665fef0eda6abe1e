import { join, parse as parsePath } from 'node:path';
import { parseArgs } from 'node:util';
import { readCount, UsageError } from '../command-line.js';

/** What the import is to do, checked. */
export interface Options {
  readonly file: string;
  /** Without a slash at its end; it may have a base path. */
  readonly url: string;
  readonly token: string;
  /** How many rows are on their way at once. */
  readonly concurrency: number;
  /** How often one row is sent at most. */
  readonly tries: number;
  /** Where the rows that don't go in are listed. */
  readonly refused: string;
}

const DEFAULT_CONCURRENCY = '64';
const DEFAULT_TRIES = '10';

export const USAGE = `usage:
  import -- FILE.csv|FILE.ndjson [--url URL] [--token TOKEN] [--concurrency N] [--tries N]
         [--refused FILE]

  FILE.csv       RFC 4180 in UTF-8, with a header that names the columns id, name and, optionally,
                 tag, in any order; other columns are ignored. An empty tag cell means no tag.
                 Two quotes, "", mean the empty tag.
  FILE.ndjson    one JSON object in each line, with id, name and, optionally, tag
  --url          where the service is, base path included; if left out, where HOST, PORT and BASE_PATH
                 say, as for the service itself
  --token        better in the environment, as PLANTS_TOKEN: other users can see a command line
  --concurrency  rows on their way at once, 1 to 1024 (${DEFAULT_CONCURRENCY})
  --tries        how often a row is sent at most while the service is away or busy (${DEFAULT_TRIES})
  --refused      where to list the rows that didn't go in; if left out, FILE.refused.csv or
                 FILE.refused.ndjson beside the file

The list of refused rows can be corrected and imported in its turn. Importing a file again is safe:
what is already there stays as it is.
Exit status: 0 all rows are in; 1 some are not; 2 wrong usage, unreadable file, or no access.`;

/** @throws UsageError or what parseArgs throws; neither quotes an argument that could be a token */
export function readOptions(args: string[]): Options {
  const { values, positionals } = parseArgs({
    args: joinToken(args),
    allowPositionals: true,
    options: {
      url: { type: 'string', default: serviceUrl(process.env) },
      token: { type: 'string', default: process.env.PLANTS_TOKEN ?? '' },
      concurrency: { type: 'string', default: DEFAULT_CONCURRENCY },
      tries: { type: 'string', default: DEFAULT_TRIES },
      refused: { type: 'string' },
    },
  });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) {
    throw new UsageError(`one file is imported at a time; ${positionals.length} are named`);
  }
  if (!/\.(csv|ndjson)$/i.test(file)) {
    throw new UsageError('the file must be a .csv or an .ndjson, by its name');
  }
  return {
    file,
    url: parseUrl(values.url),
    token: parseToken(values.token),
    concurrency: readCount('concurrency', values.concurrency, 1024),
    tries: readCount('tries', values.tries, 100),
    refused: values.refused ?? besideInput(file),
  };
}

/** One token in 64 begins with a dash, which parseArgs takes for a flag unless it is in one argument. */
function joinToken(args: string[]): string[] {
  const at = args.indexOf('--token');
  const token = args[at + 1];
  if (at === -1 || token === undefined) return args;
  return [...args.slice(0, at), `--token=${token}`, ...args.slice(at + 2)];
}

function besideInput(file: string): string {
  const { dir, name, ext } = parsePath(file);
  return join(dir, `${name}.refused${ext}`);
}

/** Where a service of this environment listens, as seen from its own machine. */
function serviceUrl(env: Readonly<Record<string, string | undefined>>): string {
  const setting = (variable: string, fallback: string): string => {
    const text = env[variable]?.trim() ?? '';
    return text === '' ? fallback : text;
  };
  const host = setting('HOST', '127.0.0.1');
  const local = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  const authority = local.includes(':') ? `[${local}]` : local;
  return `http://${authority}:${setting('PORT', '3000')}${setting('BASE_PATH', '')}`;
}

function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(
      '--url must be like http://127.0.0.1:3000 or https://host/v1; without it, HOST, PORT and BASE_PATH must make such a one',
    );
  }
  // Not quoted in the message: the password may well be a real one.
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('--url must not have a user or a password; the service takes a token');
  }
  if (url.search !== '' || url.hash !== '') {
    throw new UsageError('--url must end with its path, without a query or a fragment');
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** RFC 6750 §2.1. Anything else would be quoted in the error of whatever writes the header. */
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;

function parseToken(text: string): string {
  const token = text.trim();
  if (token === '') throw new UsageError('there is no token: set PLANTS_TOKEN, or give --token');
  if (!TOKEN.test(token)) throw new UsageError('the token has characters that no token has');
  return token;
}
