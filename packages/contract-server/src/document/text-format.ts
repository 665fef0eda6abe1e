/**
 * A format of texts (OpenAPI 3.1 §4.4: `format` is open-valued) that a service knows beside those of the
 * engine, or that it gives its handlers as something else than text.
 */
export interface TextFormat {
  /** Whether a text is of the format. Left out, the engine's own check of that name stays. */
  readonly validate?: (text: string) => boolean;
  /**
   * What a handler gets instead of a valid text, such as a `Date`. Undefined leaves the text, for a place
   * where other texts than those of the format are valid as well.
   */
  readonly parse?: (text: string) => unknown;
  /** The text of what `parse` makes, and handlers return. A text that they return stays as it is. */
  readonly write?: (value: unknown) => string;
}

/** By the names that the contract has for them. */
export type TextFormats = Readonly<Record<string, TextFormat>>;
