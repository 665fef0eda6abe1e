import { SettingError, type Settings } from './setting.js';

/** What a service is to those who call it from elsewhere: other teams, and pages of other origins. */
export interface EdgeConfig {
  /** Whether the contract is served, and with it the page that shows it. */
  readonly docs: boolean;
  /** The origins whose pages may read the answers; `*` alone for any. */
  readonly corsOrigins: readonly string[];
}

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
};

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
