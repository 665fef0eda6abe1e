import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ApiError } from '../exchange/api-error.js';

export interface ConnectionRefusalOptions {
  readonly errorBody: (error: ApiError) => unknown;
  /** The media type of that body; `application/json` where it is left out. */
  readonly errorMediaType?: string;
  /** Called for each answer that is given here, since no request log sees it. */
  readonly onRefused: (error: ApiError) => void;
}

/** How long a refused client may go on sending: to reset the connection could overtake the answer. */
const LINGER_MS = 1000;

/** Answers, in the contract's shape, what never becomes a request, and closes the connection. */
export function createConnectionRefusal({
  errorBody,
  errorMediaType = 'application/json',
  onRefused,
}: ConnectionRefusalOptions): (socket: Duplex, error: ApiError) => void {
  return (socket, error) => {
    if (!socket.writable) return;
    onRefused(error);
    const body = JSON.stringify(errorBody(error));
    socket.end(
      [
        `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
        'Connection: close',
        `Content-Type: ${errorMediaType}`,
        `Content-Length: ${Buffer.byteLength(body)}`,
        '',
        body,
      ].join('\r\n'),
    );
    // Whatever still comes is thrown away unread.
    socket.removeAllListeners('data').removeAllListeners('readable').resume();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => {
      clearTimeout(timer);
    });
  };
}
