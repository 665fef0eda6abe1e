import { SERVICE_SETTINGS, type ServiceConfig, type Settings } from 'contract-server';
import { OIDC_SETTINGS, type OidcConfig } from 'contract-server/auth';

/** The service's settings, checked and frozen. */
export interface Config extends ServiceConfig, OidcConfig {
  readonly tokensFile: string;
}

/** Each setting is an environment variable; what is wrong with them is reported at once, at the start. */
export const SETTINGS: Settings<Config> = {
  ...SERVICE_SETTINGS,
  tokensFile: {
    variable: 'TOKENS_FILE',
    fallback: 'data/tokens',
    meaning: 'The file of the digests of the tokens; read again when it changes.',
    expected: 'the path of a file',
    parse: (text) => (text === '' ? undefined : text),
  },
  ...OIDC_SETTINGS,
};
