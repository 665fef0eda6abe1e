import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, EngineCode } from '../exchange/api-error.js';
import { writeResponse } from '../message/write.js';
import type { ConnectionRefusalOptions } from './connection-refusal.js';

export interface OverloadOptions {
  /**
   * While so many requests wait for their answers, every further one is refused; and for five seconds from
   * then on, while a quarter as many do.
   */
  readonly maxRequestsInFlight: number;
  /** Targets that are served whatever the load, such as those that say whether the service is alive. */
  readonly alwaysServed: readonly string[];
  /** Called once a second while requests are refused, with how many were. */
  readonly onOverload: (refused: number) => void;
  /** Further headers of the refusal of a request, each name followed by its value. */
  readonly headersOf?: (req: IncomingMessage) => readonly string[];
}

/** In how many seconds a refused client is to try again. */
const RETRY_AFTER_SECONDS = 2;
/**
 * For how long a connection isn't read on which a request was refused: for less, since a proxy sends on it
 * what others ask, who weren't told to wait.
 */
export const REST_MS = 1000;
const REPORT_MS = 1000;
/**
 * Many at once are a burst, which is served. Where still more come meanwhile, fewer may wait, so that
 * those who are served are answered sooner. That lasts longer than `Retry-After`: those who were refused
 * come back together, and would fill the higher limit each time. It ends by itself, since the lower one
 * also refuses what the higher one would serve.
 */
const OVERLOAD_MS = 5000;
const OVERLOAD_SHARE = 0.25;

const OVERLOADED = new ApiError(
  EngineCode.overloaded,
  'too many requests are waiting; nothing was changed',
);

/** Counts the requests in flight, and refuses those that are too many. */
export class Overload {
  readonly #options: OverloadOptions;
  readonly #mediaType: string;
  readonly #body: string;
  #inFlight = 0;
  #refused = 0;
  /** As many were in flight as may be, and another one came, less than `OVERLOAD_MS` ago. */
  #isOverloaded = false;

  constructor(
    {
      errorBody,
      errorMediaType = 'application/json',
    }: Pick<ConnectionRefusalOptions, 'errorBody' | 'errorMediaType'>,
    options: OverloadOptions,
  ) {
    this.#options = options;
    this.#mediaType = errorMediaType;
    this.#body = JSON.stringify(errorBody(OVERLOADED));
  }

  /** Whether a request that has just arrived may be served; it is in flight then, until it leaves. */
  admit({ req }: ServerResponse): boolean {
    const { maxRequestsInFlight, alwaysServed } = this.#options;
    const limit = maxRequestsInFlight * (this.#isOverloaded ? OVERLOAD_SHARE : 1);
    if (this.#inFlight >= limit && !alwaysServed.includes(req.url ?? '')) return false;
    this.enter();
    return true;
  }

  enter(): void {
    this.#inFlight++;
  }

  leave(): void {
    this.#inFlight--;
  }

  /** Answers before anything has looked at the request, since that costs the least. */
  refuse(res: ServerResponse): void {
    if (this.#refused++ === 0) setTimeout(this.#report, REPORT_MS).unref();
    this.#noteOverload();
    const { headersOf = () => [] } = this.#options;
    writeResponse(res.req, res, {
      status: OVERLOADED.status,
      headers: [
        ...['Content-Type', this.#mediaType, 'Retry-After', String(RETRY_AFTER_SECONDS)],
        ...headersOf(res.req),
      ],
      body: this.#body,
    });
  }

  #noteOverload(): void {
    if (this.#isOverloaded) return;
    this.#isOverloaded = true;
    setTimeout(() => {
      this.#isOverloaded = false;
    }, OVERLOAD_MS).unref();
  }

  readonly #report = (): void => {
    this.#options.onOverload(this.#refused);
    this.#refused = 0;
  };
}
