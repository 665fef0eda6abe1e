import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ApiError } from '../contract/index.js';

export interface ConnectionRefusalOptions {
  readonly errorBody: (error: ApiError) => unknown;
  /** Called for each answer that is given here, since no request log sees it. */
  readonly onRefused: (error: ApiError) => void;
}

/** Answers, in the contract's shape, what never becomes a request, and closes the connection. */
export interface ConnectionRefusal {
  /** To be told of every response that node makes. */
  watch(res: ServerResponse): void;
  refuse(socket: Duplex, error: ApiError): void;
  /** Refuses what is wrong on a connection without getting in the way of answers that are due on it. */
  refuseInTurn(socket: Socket, error: ApiError): void;
}

/** How long a refused client may go on sending: a reset could overtake what it is told. */
const LINGER_MS = 1000;

export function createConnectionRefusal({
  errorBody,
  onRefused,
}: ConnectionRefusalOptions): ConnectionRefusal {
  /** The last response of each connection, unless it and its request are over. */
  const lastResponses = new WeakMap<Socket, ServerResponse>();

  // Else an idle connection would keep all of its last exchange.
  function forget(this: ServerResponse): void {
    const { complete, socket } = this.req;
    if (complete && lastResponses.get(socket) === this) lastResponses.delete(socket);
  }

  function refuse(socket: Duplex, error: ApiError): void {
    if (!socket.writable) return;
    onRefused(error);
    const body = JSON.stringify(errorBody(error));
    socket.end(
      [
        `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
        'Connection: close',
        'Content-Type: application/json',
        `Content-Length: ${Buffer.byteLength(body)}`,
        '',
        body,
      ].join('\r\n'),
    );
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => {
      clearTimeout(timer);
    });
  }

  return {
    watch(res) {
      lastResponses.set(res.req.socket, res);
      res.on('close', forget);
    },
    refuse,
    refuseInTurn(socket, error) {
      const last = lastResponses.get(socket);
      if (last === undefined || (last.req.complete && last.writableFinished)) {
        refuse(socket, error);
      } else if (last.req.complete) {
        // It is what follows this request that is wrong: its own answer goes first.
        last.once('close', () => {
          if (!lastResponses.has(socket)) refuse(socket, error);
        });
      } else if (last.headersSent || last.socket === null) {
        // It has its answer, or waits behind another one, for whose answer this must not be taken.
        socket.destroySoon();
      } else {
        refuse(socket, error);
      }
    },
  };
}
