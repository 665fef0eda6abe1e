import type { Readable } from 'node:stream';
import type { ExactIntegers, SplitValue } from '../../json/exact-integers.js';
import type { JsonValue } from '../../json/json-value.js';

/** How many bytes of a form are kept in memory: all of a short one, and of a longer one those of its files. */
export const FORM_MEMORY_BYTES = 65_536;

/** The bytes of a form: still to come, or all that there are. */
export type FormBody = Readable | readonly Buffer[];

/** A file of a form, as its handler gets it. */
export interface FormFile {
  /** What the client calls it: a name, never a path; undefined where it has none. */
  readonly filename: string | undefined;
  /** What the client says it is, which is one of the media types that the contract allows. */
  readonly mediaType: string;
  /** The headers of its part, by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Its bytes, to be read once, before the handler answers. */
  readonly stream: Readable;
}

/** A form that has been read as far as its handler needs it; the last file may still be coming. */
export interface ReceivedForm {
  /** What is validated: a file is a string in it. */
  readonly value: JsonValue;
  readonly integers: ExactIntegers;
  /** The headers of parts that the contract describes, by field, and then those of each part. */
  readonly partHeaders: SplitValue | undefined;
  readonly files: ReadonlyMap<string, FormFile | readonly FormFile[]>;
  /**
   * Reads and judges what the handler has left unread.
   * @throws ApiError, ClientGoneError
   */
  finish(): Promise<void>;
  /** Reads no further, so that the client can be answered. */
  abandon(): void;
  /** What is wrong with what came after the handler was called. */
  readonly failure: Error | undefined;
}
