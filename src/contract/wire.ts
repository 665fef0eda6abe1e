import type { IncomingMessage, ServerResponse } from 'node:http';
import { hasBody } from './body.js';

/** A checked response, ready to be written. */
export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A body of up to this length is cheaper to read and forget than a new connection is to make. */
const CHEAP_BODY_BYTES = 65_536;
/** How much of a body that nobody wants is read, and for how long, so that our answer is seen. */
const LINGER_BYTES = 4 * 1024 * 1024;
const LINGER_MS = 1000;

/** Writes a response in one piece, whether or not the request's body has been read. */
export function writeResponse(
  req: IncomingMessage,
  res: ServerResponse,
  { status, headers, text }: WireResponse,
): void {
  if (hasBody(req) && !req.complete && !isCheap(req)) {
    writeAndLinger(req, res, { status, headers, text });
    return;
  }
  res.writeHead(status, withLength(headers, status, text));
  res.end(text);
}

/** Whether node may read the rest of the body and keep the connection, as it does by itself. */
function isCheap({ headers }: IncomingMessage): boolean {
  // A client that waits for "100 Continue" may or may not send its body after another answer.
  if (headers.expect !== undefined) return false;
  return Number(headers['content-length'] ?? Infinity) <= CHEAP_BODY_BYTES;
}

/**
 * Answers a client that is still sending. To close on it at once would reset the connection, and the
 * reset may overtake the answer; so the rest of the body is thrown away for a while (RFC 9112 §9.6).
 */
function writeAndLinger(
  req: IncomingMessage,
  res: ServerResponse,
  { status, headers, text }: WireResponse,
): void {
  res.writeHead(status, { ...withLength(headers, status, text), Connection: 'close' });
  if (text === '') res.flushHeaders();
  else res.write(text);
  let remaining = LINGER_BYTES;
  const timer = setTimeout(finish, LINGER_MS);
  function finish(): void {
    clearTimeout(timer);
    res.end();
  }
  req.on('error', finish).on('close', finish).on('end', finish);
  req.on('data', (chunk: Buffer) => {
    remaining -= chunk.length;
    if (remaining < 0) finish();
  });
}

function withLength(
  headers: Readonly<Record<string, string>>,
  status: number,
  text: string,
): Record<string, string | number> {
  // RFC 9110 §8.6: a 204 has no Content-Length.
  return status === 204
    ? { ...headers }
    : { ...headers, 'Content-Length': Buffer.byteLength(text) };
}
