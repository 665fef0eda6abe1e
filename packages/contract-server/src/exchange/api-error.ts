import { excerpt } from '../json/excerpt.js';

/** In UTF-16 code units: room for every problem that one message lists. */
const MAX_MESSAGE_LENGTH = 10_000;

/** One thing that is wrong with a request or a response. */
export interface Problem {
  /** Where: a JSON Pointer into the request's or the response's value, such as `/body/id`. */
  readonly pointer: string;
  /** The JSON Schema keyword that is violated; undefined where no schema is, as with an undeclared status. */
  readonly keyword?: string | undefined;
  readonly message: string;
}

export interface ApiErrorOptions extends ErrorOptions {
  /** What the message lists in words, for an error body that has a list of its own (RFC 9457 §3). */
  readonly problems?: readonly Problem[];
}

/**
 * An error that the client may see, in the contract's own error shape. Everything else that is thrown
 * is a fault of ours: the client gets `unforeseen` and the log gets the rest.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** Each violation of the contract's schemas in the request; empty for any other error. */
  readonly problems: readonly Problem[];

  /** @param message for the client: never a secret, never an internal detail */
  constructor(
    readonly code: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    { problems = [], ...options }: ApiErrorOptions = {},
  ) {
    // Quoted texts are cut already; this bounds the message as a whole.
    super(excerpt(message, MAX_MESSAGE_LENGTH), options);
    this.problems = problems;
  }

  /** The HTTP status: the first three digits of the code. */
  get status(): number {
    return Math.floor(this.code / 100);
  }
}

/** The codes of the engine's own errors. They are part of the public interface: never reuse one. */
export const EngineCode = {
  badTarget: 40000,
  malformedJson: 40001,
  schemaViolation: 40002,
  malformedHttp: 40003,
  malformedParameter: 40004,
  noCredentials: 40101,
  badCredentials: 40102,
  insufficientScope: 40301,
  unknownPath: 40401,
  unknownMethod: 40501,
  notAcceptable: 40601,
  timeout: 40801,
  tooLarge: 41301,
  mediaType: 41501,
  charset: 41502,
  contentCoding: 41503,
  rateLimited: 42901,
  headersTooLarge: 43101,
  unforeseen: 50001,
  notImplemented: 50101,
  stopping: 50301,
  overloaded: 50304,
  tooManyStreams: 50306,
  keysUnavailable: 50307,
} as const;

/** The error that stands for any fault of the service. Its cause is for the log alone. */
export function unforeseen(cause: unknown): ApiError {
  return new ApiError(
    EngineCode.unforeseen,
    'something went wrong here; the log has it under the request id',
    {},
    { cause },
  );
}

/** @param maxBytes of a body, or of the texts of a form */
export function tooLarge(maxBytes: number): ApiError {
  return new ApiError(EngineCode.tooLarge, `the body is larger than the ${maxBytes} bytes allowed`);
}
