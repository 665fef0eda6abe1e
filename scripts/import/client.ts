import type { paths } from '../../generated/openapi.js';
import { writeJson } from 'contract-server/json';
import { ConnectionError, createHttpClient, type Answer } from './http-client.js';
import type { NewPlant } from './row.js';
import { StopError } from '../stop-error.js';

/** What became of one row that was sent once. */
export type Outcome =
  /** It is in the store, now or already before. */
  | { readonly kind: 'accepted' }
  /** The service won't have it. */
  | ({ readonly kind: 'refused' } & Reason)
  /** The service can't take it, and trying again won't help. */
  | ({ readonly kind: 'failed' } & Reason)
  /** The service, or the way to it, can't take it now. */
  | ({ readonly kind: 'unavailable'; readonly retryAfterMs: number } & Reason);

export interface Reason {
  /** The service's number, or a word where it gave none. */
  readonly code: number | string;
  readonly message: string;
}

export interface Client {
  /**
   * Sends a plant once.
   * @throws StopError where no row will fare better: no access, or not a plant store
   */
  create(plant: NewPlant): Promise<Outcome>;
  close(): void;
}

const PATH = '/plants' satisfies keyof paths;

/** How long the service may be silent before a row is sent again. */
const TIMEOUT_MS = 30_000;

export function createPlantClient(url: string, token: string, connections: number): Client {
  const target = `${url.replace(/\/$/, '')}${PATH}`;
  const { post, close } = createHttpClient(target, token, { connections, timeoutMs: TIMEOUT_MS });

  return {
    close,
    async create(plant) {
      let answer: Answer;
      try {
        answer = await post(writeJson(plant));
      } catch (error) {
        if (!(error instanceof ConnectionError)) throw error;
        return { kind: 'unavailable', retryAfterMs: 0, code: error.code, message: error.message };
      }
      if (answer.status !== 200) return judge(answer, url);
      if (isSame(parse(answer.text), plant)) return { kind: 'accepted' };
      throw new StopError(`${url} took a plant but answered with another: it is no plant store`);
    },
  };
}

function judge({ status, retryAfter, text }: Answer, url: string): Outcome {
  const reason = reasonOf(status, parse(text));
  switch (status) {
    case 400:
    case 409:
    case 413:
      return { kind: 'refused', ...reason };
    case 500:
      return { kind: 'failed', ...reason };
    case 408:
    case 429:
    case 502:
    case 503:
    case 504:
      return {
        kind: 'unavailable',
        retryAfterMs: parseRetryAfter(retryAfter, Date.now()),
        ...reason,
      };
    case 401:
      throw new StopError('the service refuses the token (401): it is unknown, expired or revoked');
    case 403:
      throw new StopError('the token is not allowed to create plants (403)');
    case 404:
    case 405:
      throw new StopError(`there is no plant store at ${url} (${status}): is --url right?`);
    default:
      throw new StopError(`${url} answers ${status}, which a plant store doesn't`);
  }
}

/** What an answer says in JSON; undefined where it is something else. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whoever answers may be a proxy, which knows nothing of the contract. */
function reasonOf(status: number, error: unknown): Reason {
  if (typeof error === 'object' && error !== null && 'error' in error && 'message' in error) {
    const { error: code, message } = error;
    if (typeof code === 'number' && typeof message === 'string') return { code, message };
  }
  return { code: `HTTP ${status}`, message: `the answer was ${status}, without an error body` };
}

/** Seconds or a date (RFC 9110 §10.2.3), in milliseconds from now; 0 where it is neither. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number {
  if (header === undefined) return 0;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  // Date.parse takes much more than the dates of HTTP for one: "-1" would be in 2001.
  const at = header.endsWith(' GMT') ? Date.parse(header) : NaN;
  return Number.isNaN(at) ? 0 : Math.max(0, at - nowMs);
}

function isSame(data: unknown, { name, tag }: NewPlant): boolean {
  if (typeof data !== 'object' || data === null || !('name' in data)) return false;
  return data.name === name && ('tag' in data ? data.tag : undefined) === tag;
}
