import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ApiError } from '../api-error.js';

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

interface Connection {
  /** Its last response, unless that and its request are over. */
  last: ServerResponse | undefined;
}

export function createConnectionRefusal({
  errorBody,
  onRefused,
}: ConnectionRefusalOptions): ConnectionRefusal {
  const connections = new WeakMap<Socket, Connection>();

  function connectionOf(socket: Socket): Connection {
    let connection = connections.get(socket);
    if (connection === undefined) connections.set(socket, (connection = { last: undefined }));
    return connection;
  }

  // Else an idle connection would keep all of its last exchange.
  function forget(this: ServerResponse): void {
    const connection = connectionOf(this.req.socket);
    if (this.req.complete && connection.last === this) connection.last = undefined;
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
      connectionOf(res.req.socket).last = res;
      res.on('close', forget);
    },
    refuse,
    refuseInTurn(socket, error) {
      const connection = connectionOf(socket);
      const { last } = connection;
      if (last === undefined || (last.req.complete && last.writableFinished)) {
        refuse(socket, error);
      } else if (last.req.complete) {
        // It is what follows this request that is wrong: its own answer goes first.
        last.once('close', () => {
          if (connection.last === undefined) refuse(socket, error);
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
