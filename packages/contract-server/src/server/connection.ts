import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiError } from '../exchange/api-error.js';
import { REST_MS, type Overload } from './overload.js';
import type { Turns } from './turns.js';

/**
 * How much a connection that is read by pieces hands to node's parser at once: some fifty of the
 * shortest requests there are.
 */
const PIECE_BYTES = 1024;

/**
 * The requests of one connection. One is executed at a time, and those that came with it wait until it
 * has been answered; so answers come in order, nothing is executed behind the last one (RFC 9112
 * §9.6), and a client that doesn't read is owed one answer and no more.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #turns: Turns;
  readonly #overload: Overload;
  readonly #refuse: (socket: Socket, error: ApiError) => void;
  /** The response that is due, until it and its request are over. */
  #current: ServerResponse | undefined;
  readonly #queue: ServerResponse[] = [];
  /** The error of what came behind the requests so far; it is answered after them. */
  #error: ApiError | undefined;
  #isReadByPieces = false;
  /** The current request counts among those that wait for their answers. */
  #isInFlight = false;
  /** The current request is one too many, and its client has been told to try again later. */
  #isRefused = false;
  /** Nothing is read or begun. */
  #isResting = false;

  constructor(
    socket: Socket,
    turns: Turns,
    overload: Overload,
    refuse: (socket: Socket, error: ApiError) => void,
  ) {
    this.#socket = socket;
    this.#turns = turns;
    this.#overload = overload;
    this.#refuse = refuse;
  }

  /** Whether a request is being executed: all of it is here, and the client has read what was written. */
  get isExecuting(): boolean {
    return this.#current?.req.complete === true && this.#socket.writableLength === 0;
  }

  /** @returns how many requests now wait on this connection */
  receive(res: ServerResponse): number {
    if (!this.#socket.writable) return 0;
    if (this.#current === undefined && !this.#isResting) this.#begin(res, this.#turns.arrive);
    else this.#queue.push(res);
    return this.#queue.length;
  }

  /** Refuses what is wrong on the connection, after the answers that are due before it. */
  fail(error: ApiError): void {
    const current = this.#current;
    if (current?.req.complete === true) this.#error ??= error;
    // A request that has its answer must not get a second one.
    else if (current?.headersSent === true) this.#socket.destroySoon();
    else this.#refuse(this.#socket, error);
  }

  /**
   * From now on, what arrives waits in the socket, a buffer's worth at most, until there is room for
   * the requests that may be in it. Left to itself, node makes requests of everything that it reads,
   * thousands at once, which is some 5 per cent faster for a client that sends one and waits.
   */
  readByPieces(): void {
    if (this.#isReadByPieces) return;
    if (this.#socket.isPaused()) {
      // Only node can resume what it has paused before.
      this.#socket.once('resume', () => {
        this.readByPieces();
      });
      return;
    }
    this.#isReadByPieces = true;
    // Node's parser listens to "data", which `read` emits.
    this.#socket.on('readable', this.read).on('resume', this.read);
  }

  readonly read = (): void => {
    while (this.#hasRoom() && this.#turns.admit(this)) {
      const { readableLength } = this.#socket;
      if (readableLength > 0) this.#socket.read(Math.min(readableLength, PIECE_BYTES));
      else {
        // Asks for more, or finds the end.
        this.#socket.read();
        return;
      }
    }
  };

  /** For requests, where none is executed; and for the body of the one that is. */
  #hasRoom(): boolean {
    if (!this.#isReadByPieces || this.#isResting) return false;
    if (!this.#socket.writable || this.#error !== undefined) return false;
    if (this.#current === undefined) return true;
    const { req } = this.#current;
    return !req.complete && req.readableLength < req.readableHighWaterMark;
  }

  #begin(res: ServerResponse, enqueue: (res: ServerResponse) => void): void {
    this.#current = res;
    res.on('close', this.#settle);
    this.#isInFlight = this.#overload.admit(res);
    if (this.#isInFlight) enqueue(res);
    else {
      this.#isRefused = true;
      this.#overload.refuse(res);
    }
  }

  /**
   * A request whose turn has come before its body isn't in flight until the body is: clients that send
   * slowly must not use up what the others need.
   */
  awaitBody({ req }: ServerResponse): void {
    this.#leave();
    req.once('end', () => {
      if (this.#current?.req !== req || this.#current.headersSent) return;
      this.#isInFlight = true;
      this.#overload.enter();
    });
  }

  /** A response that may go on for days isn't in flight: it must not use up what the others need. */
  stream(res: ServerResponse): void {
    if (this.#current === res) this.#leave();
  }

  #leave(): void {
    if (this.#isInFlight) this.#overload.leave();
    this.#isInFlight = false;
  }

  readonly #settle = (): void => {
    const res = this.#current;
    if (res === undefined) return;
    this.#leave();
    const { req } = res;
    if (!req.complete && !req.destroyed) {
      // It was answered before the whole body had arrived.
      req.once('close', this.#settle);
      this.read();
      return;
    }
    this.#current = undefined;
    if (this.#isRefused) this.#rest();
    else this.#next();
  };

  /**
   * A client that has been told to try again later is not read for a while. To refuse costs almost as
   * much as to serve: those who don't wait would keep us refusing, and nobody would be served.
   */
  #rest(): void {
    this.#isRefused = false;
    this.#isResting = true;
    this.#socket.pause();
    setTimeout(() => {
      this.#isResting = false;
      this.#socket.resume();
      this.#next();
    }, REST_MS).unref();
  }

  #next(): void {
    if (!this.#socket.writable) {
      this.#queue.length = 0;
      return;
    }
    const next = this.#queue.shift();
    if (this.#error !== undefined && next?.req.complete !== true) {
      this.#refuse(this.#socket, this.#error);
    } else if (next !== undefined) this.#begin(next, this.#turns.follow);
    else this.read();
  }
}
