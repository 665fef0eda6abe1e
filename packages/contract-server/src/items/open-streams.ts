import type { ServerResponse } from 'node:http';

export interface OpenStreamsOptions {
  /** How many may be open at a time; 1000, where it is left out. */
  readonly maxStreams?: number | undefined;
  /** After how much silence a comment is written into a stream of events; 15,000, where it is left out. */
  readonly heartbeatMs?: number | undefined;
}

/** Less than the minute after which most proxies close a silent connection. */
const HEARTBEAT_MS = 15_000;
/** Each costs some memory and a connection, whoever its client is. */
const MAX_STREAMS = 1000;

/** The responses of a service whose items are sent as they come, which may go on for days. */
export class OpenStreams {
  readonly heartbeatMs: number;
  readonly #maxStreams: number;
  /** Of every response that may become a stream, or is one. */
  readonly #controllers = new Map<ServerResponse, AbortController>();
  readonly #listeners: ((res: ServerResponse) => void)[] = [];
  #open = 0;

  constructor({ maxStreams = MAX_STREAMS, heartbeatMs = HEARTBEAT_MS }: OpenStreamsOptions = {}) {
    this.#maxStreams = maxStreams;
    this.heartbeatMs = heartbeatMs;
  }

  /** Aborts when the client has gone, or the service stops. */
  signalOf(res: ServerResponse): AbortSignal {
    const known = this.#controllers.get(res);
    if (known !== undefined) return known.signal;
    if (res.destroyed) return AbortSignal.abort();
    const controller = new AbortController();
    this.#controllers.set(res, controller);
    res.once('close', () => {
      this.#controllers.delete(res);
      if (!res.writableFinished) controller.abort();
    });
    return controller.signal;
  }

  /** Whether there is a place for another one; it is taken until the response closes. */
  open(res: ServerResponse): boolean {
    if (this.#open >= this.#maxStreams) return false;
    // A client that has gone already closes it no more.
    if (res.destroyed) return true;
    this.#open++;
    res.once('close', () => {
      this.#open--;
    });
    for (const listener of this.#listeners) listener(res);
    return true;
  }

  /** Calls the listener with each response that becomes a stream. */
  onOpen(listener: (res: ServerResponse) => void): void {
    this.#listeners.push(listener);
  }

  /** The service stops: streams of events end now, those of other items when their handlers end them. */
  end(): void {
    for (const controller of this.#controllers.values()) controller.abort();
  }
}
