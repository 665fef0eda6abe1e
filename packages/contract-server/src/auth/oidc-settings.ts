import { SettingError, type Environment, type Settings } from '../service/setting.js';

/** Whose JWTs are accepted. Both are empty where none are. */
export interface OidcConfig {
  /** As the provider writes it into `iss`, to the letter. */
  readonly oidcIssuer: string;
  readonly oidcAudience: string;
}

/** Settings of a service that accepts the JWTs of an OpenID provider. */
export const OIDC_SETTINGS: Settings<OidcConfig> = {
  oidcIssuer: {
    variable: 'OIDC_ISSUER',
    fallback: '',
    meaning: 'The OpenID provider whose JWTs are accepted beside the tokens of the file.',
    expected: 'empty, or the URL of an issuer such as https://login.example.com',
    parse: parseIssuer,
  },
  oidcAudience: {
    variable: 'OIDC_AUDIENCE',
    fallback: '',
    meaning:
      'What those JWTs must have in `aud`: the name that the provider knows this service by.',
    expected: 'empty, or at most 255 printable ASCII characters',
    parse: parseAudience,
  },
};

/**
 * Whether what is fetched from a URL can't be changed on its way: by https, or from this machine. Keys
 * that somebody else put there would let them write tokens.
 */
export function isSecureUrl({ protocol, hostname }: URL): boolean {
  if (protocol === 'https:') return true;
  return protocol === 'http:' && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** OpenID Connect Discovery 1.0 §3: an issuer has neither query nor fragment. */
function parseIssuer(text: string): string | undefined {
  if (text === '') return text;
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    throw new SettingError('must have no user and no password; it is not shown');
  if (!isSecureUrl(url))
    throw new SettingError('must be an https URL; http is for providers on this machine alone');
  if (/[?#]/.test(text)) throw new SettingError('must have no query and no fragment');
  return text;
}

function parseAudience(text: string, { OIDC_ISSUER = '' }: Environment): string | undefined {
  const hasIssuer = OIDC_ISSUER.trim() !== '';
  if (hasIssuer && text === '')
    throw new SettingError('must be set where OIDC_ISSUER is: a JWT may be for another service');
  if (!hasIssuer && text !== '')
    throw new SettingError('has no meaning without OIDC_ISSUER; set that, too, or unset this');
  return /^[\x20-\x7e]{0,255}$/.test(text) ? text : undefined;
}
