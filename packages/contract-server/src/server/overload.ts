import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, EngineCode } from '../exchange/api-error.js';
import { writeResponse } from '../message/write.js';
import type { ConnectionRefusalOptions } from './connection-refusal.js';

export interface OverloadOptions {
  /**
   * While so many requests wait for their answers, every further one is refused; and for a second from then
   * on, while a quarter as many do.
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
export const RETRY_AFTER_SECONDS = 1;
const REPORT_MS = 1000;
/**
 * Many at once are a burst, which is served. Where still more come meanwhile, fewer may wait, so that
 * those who are served are answered sooner.
 */
const OVERLOAD_MS = 1000;
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
  /** When as many were in flight as may be, by `performance.now()`. */
  #reachedAt = -Infinity;

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
    if (!this.#hasRoom() && !this.#options.alwaysServed.includes(req.url ?? '')) return false;
    this.enter();
    return true;
  }

  #hasRoom(): boolean {
    const { maxRequestsInFlight } = this.#options;
    if (this.#inFlight < maxRequestsInFlight * OVERLOAD_SHARE) return true;
    const now = performance.now();
    if (this.#inFlight >= maxRequestsInFlight) this.#reachedAt = now;
    return now - this.#reachedAt >= OVERLOAD_MS;
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

  readonly #report = (): void => {
    this.#options.onOverload(this.#refused);
    this.#refused = 0;
  };
}
