import type { RateLimitPolicy } from '../security/rate-limit.js';
import { SettingError, type Settings } from './setting.js';

/** What a service is to those who call it from elsewhere: other teams, and pages of other origins. */
export interface EdgeConfig {
  /** Whether the contract is served, and with it the page that shows it. */
  readonly docs: boolean;
  /** The origins whose pages may read the answers; `*` alone for any. */
  readonly corsOrigins: readonly string[];
  /** How many requests each caller may make; false for as many as it likes. */
  readonly rateLimit: false | RateLimitPolicy;
}

const MAX_REQUESTS = 1_000_000;
const MAX_WINDOW_S = 86_400;

export const EDGE_SETTINGS: Settings<EdgeConfig> = {
  docs: {
    variable: 'DOCS',
    fallback: 'off',
    meaning:
      'Whether the contract is served, at `/openapi.json`, `/openapi.yaml` and `/docs`: `on` or `off`.',
    expected: 'on or off',
    parse: (text) => (text === 'on' ? true : text === 'off' ? false : undefined),
  },
  corsOrigins: {
    variable: 'CORS_ORIGINS',
    fallback: '',
    meaning:
      'The origins whose pages may call the service from a browser, with commas between, or `*` for any.',
    expected: 'empty, *, or origins such as https://app.example.com with commas between',
    parse: parseOrigins,
  },
  rateLimit: {
    variable: 'RATE_LIMIT',
    fallback: '',
    meaning:
      'How many requests each caller may make in how many seconds, such as `1000/60s`; empty for no limit.',
    expected: `empty, or requests and seconds such as 1000/60s, at most ${MAX_REQUESTS}/${MAX_WINDOW_S}s`,
    parse: parseRateLimit,
  },
};

function parseRateLimit(text: string): false | RateLimitPolicy | undefined {
  if (text === '') return false;
  const [, requests = 0, windowSeconds = 0] = (/^(\d{1,9})\/(\d{1,9})s$/.exec(text) ?? []).map(
    Number,
  );
  const isRight =
    requests >= 1 &&
    requests <= MAX_REQUESTS &&
    windowSeconds >= 1 &&
    windowSeconds <= MAX_WINDOW_S;
  return isRight ? { requests, windowSeconds } : undefined;
}

/** @throws SettingError that names each origin that isn't one */
function parseOrigins(text: string): readonly string[] {
  if (text === '') return [];
  const origins = text.split(',').map((origin) => origin.trim());
  if (origins.includes('*')) {
    if (origins.length === 1) return origins;
    throw new SettingError('must be * alone, or origins without *');
  }
  const problems = origins.flatMap((origin) => originProblem(origin) ?? []);
  if (problems.length > 0) {
    throw new SettingError(
      `must be *, or origins such as https://app.example.com with commas between; ${problems.join('; ')}`,
    );
  }
  return origins;
}

/** What is wrong with an origin as browsers send it in `Origin` (RFC 6454 §6.1), to the letter. */
function originProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPage = url !== undefined && ['http:', 'https:'].includes(url.protocol);
  if (!isPage || url.hostname.includes('*')) {
    return `${JSON.stringify(text)} is not the origin of a page`;
  }
  if (url.username !== '' || url.password !== '') return 'an origin has no user and no password';
  return url.origin === text ? undefined : `${JSON.stringify(text)} must be ${url.origin}`;
}
