/**
 * What is wrong with a variable's text, where "it must be …; it is …" would say too little or quote a
 * secret. The message follows the variable's name.
 */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

/** The environment's variables, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** One environment variable: what it may be, and what it is when it isn't set. */
export interface Setting<Value> {
  readonly variable: string;
  readonly fallback: string;
  readonly meaning: string;
  /** What would be right; completes "must be …". */
  readonly expected: string;
  /**
   * Undefined where the text is wrong, or a SettingError that says how. The environment is for a setting
   * that needs another one.
   */
  readonly parse: (text: string, env: Environment) => Value | undefined;
  /**
   * Resolves with what is wrong, in a line of its own, where only this machine can tell, such as a port that
   * is in use. Asked when a service starts, not where a command reads it; ignored of what `parse` refuses.
   */
  readonly check?: (text: string, env: Environment) => Promise<string | undefined>;
}

/** An environment variable for each member of a service's configuration. */
export type Settings<Config> = { readonly [Name in keyof Config]: Setting<Config[Name]> };
