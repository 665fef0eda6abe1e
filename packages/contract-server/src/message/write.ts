import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished, pipeline, Readable } from 'node:stream';
import { hasBody } from './body.js';
import { setHeader, type HeaderLines } from './header-lines.js';
import type { SerializedBody } from './response-body.js';

/** A checked response, ready to be written. */
export interface SerializedResponse {
  readonly status: number;
  /** Made for this response alone, and completed when it is written. */
  readonly headers: HeaderLines;
  readonly body: SerializedBody;
}

/** To read an unwanted body of up to this length costs less than a new connection. */
const CHEAP_BODY_BYTES = 65_536;
/** How much of an unwanted body is read, and for how long, so that the client sees the response. */
const LINGER_BYTES = 4 * 1024 * 1024;
const LINGER_MS = 1000;

/** Writes a response in one piece, whether or not the request's body has been read. */
export function writeResponse(
  req: IncomingMessage,
  res: ServerResponse,
  { status, headers, body }: SerializedResponse,
): void {
  if (body instanceof Readable) {
    res.writeHead(status, headers);
    // Before `pipeline` closes the connection, as if the body had ended.
    if (isEndedByClose(req)) {
      finished(body, (error) => {
        if (error) reset(res);
      });
    }
    // `pipeline` ends both streams in every case: the source when the client leaves, the connection when
    // the source breaks, because a body cut short must not look whole.
    pipeline(body, res, () => undefined);
    return;
  }
  // RFC 9110 §8.6: a 204 has no Content-Length.
  if (status !== 204) setHeader(headers, 'Content-Length', String(Buffer.byteLength(body)));
  if (!req.complete && hasBody(req) && !isCheap(req)) {
    setHeader(headers, 'Connection', 'close');
    res.writeHead(status, headers);
    lingerAfter(req, res, body);
    return;
  }
  const { socket } = res;
  res.writeHead(status, headers);
  // One piece, which is cheap to write: `end` with a body makes two of them, the second one empty.
  socket?.cork();
  res.write(body);
  socket?.uncork();
  res.end();
}

/**
 * Breaks off a response that has begun, once what was written has left: cut short, it must not look
 * whole. No last chunk says so (RFC 9112 §8), or else a reset.
 */
export function breakOff(req: IncomingMessage, res: ServerResponse): void {
  if (!isEndedByClose(req)) {
    res.socket?.destroySoon();
    return;
  }
  res.socket?.write('', () => {
    reset(res);
  });
}

/** A client of HTTP/1.0 gets no chunks: the end of the connection is that of the body (RFC 9112 §6.3). */
function isEndedByClose({ httpVersionMinor }: IncomingMessage): boolean {
  return httpVersionMinor === 0;
}

function reset({ socket }: ServerResponse): void {
  try {
    socket?.resetAndDestroy();
  } catch {
    socket?.destroy(); // one of TLS, or of a file
  }
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
function lingerAfter(req: IncomingMessage, res: ServerResponse, body: string | Uint8Array): void {
  if (body.length === 0) res.flushHeaders();
  else res.write(body);
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
  // Whoever has stopped reading it has paused it.
  req.unpipe();
  req.resume();
}
