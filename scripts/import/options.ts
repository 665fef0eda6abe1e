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
}

const DEFAULT_URL = 'http://127.0.0.1:3000';
const DEFAULT_CONCURRENCY = '64';
const DEFAULT_TRIES = '10';

export const USAGE = `usage:
  import -- FILE.csv|FILE.ndjson [--url URL] [--token TOKEN] [--concurrency N] [--tries N]

  FILE.csv       RFC 4180 in UTF-8, with a header that names the columns id, name and, optionally,
                 tag, in any order; other columns are ignored. An empty tag cell means no tag.
  FILE.ndjson    one JSON object in each line, with id, name and, optionally, tag
  --url          where the service is, base path included (${DEFAULT_URL})
  --token        better in the environment, as PLANTS_TOKEN: other users can see a command line
  --concurrency  rows on their way at once, 1 to 1024 (${DEFAULT_CONCURRENCY})
  --tries        how often a row is sent at most while the service is away or busy (${DEFAULT_TRIES})

Rows that didn't go in are listed in FILE.refused.csv or FILE.refused.ndjson, which can be corrected
and imported in its turn. Importing a file again is safe: what is already there stays as it is.
Exit status: 0 all rows are in; 1 some are not; 2 wrong usage, unreadable file, or no access.`;

/** @throws UsageError or what parseArgs throws; neither quotes an argument that could be a token */
export function readOptions(args: string[]): Options {
  const { values, positionals } = parseArgs({
    args: joinToken(args),
    allowPositionals: true,
    options: {
      url: { type: 'string', default: DEFAULT_URL },
      token: { type: 'string', default: process.env.PLANTS_TOKEN ?? '' },
      concurrency: { type: 'string', default: DEFAULT_CONCURRENCY },
      tries: { type: 'string', default: DEFAULT_TRIES },
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
  };
}

/** One token in 64 begins with a dash, which parseArgs takes for a flag unless it is in one argument. */
function joinToken(args: string[]): string[] {
  const at = args.indexOf('--token');
  const token = args[at + 1];
  if (at === -1 || token === undefined) return args;
  return [...args.slice(0, at), `--token=${token}`, ...args.slice(at + 2)];
}

function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`--url must be like ${DEFAULT_URL} or https://host/v1`);
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
