import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Transform, type Readable } from 'node:stream';
import { ApiError, EngineCode, tooLarge } from '../exchange/api-error.js';
import { FORM_MEMORY_BYTES, type FormBody } from './form/received-form.js';
import { keptBodies } from './kept-bodies.js';

/** From how many bytes on a body waits for a long turn: reading a smaller one takes less than a millisecond. */
export const LARGE_BODY_BYTES = 65_536;

export interface BodyLimits {
  readonly maxBodyBytes: number;
  /** How long a body may take to arrive, from when it is asked for. */
  readonly requestTimeoutMs: number;
  /** So much of a streamed body may take that long, and so much of the rest again; left out, all of it. */
  readonly timedBytes?: number;
}

/** The client closed the connection: there is nobody left to answer. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';
}

/** RFC 9112 §6: a request has a body if it says how long it is, or that it comes in chunks. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Consumes the body of a request that has one.
 * @throws ApiError 413 and 503, also while the body streams in, and 408
 * @throws ClientGoneError
 */
export function readBody(
  req: IncomingMessage,
  res: ServerResponse,
  limits: BodyLimits,
): Buffer | Promise<Buffer> {
  askForBody(req, res, limits.maxBodyBytes);
  return readArrived(req) ?? readArriving(req, res, limits);
}

/**
 * A body that is there already, as a short one is by the time its request is authenticated: it came
 * with the headers, and needs no listener and no timer.
 */
function readArrived(req: IncomingMessage): Buffer | undefined {
  const length = Number(req.headers['content-length']);
  if (req.readableLength !== length) return undefined;
  const bytes = readAll(req, length);
  // The end of the body that is yet to come must find somebody reading.
  if (!req.complete) req.resume();
  return bytes;
}

/** Before version 26 node gives by one `read` all that is there, and since then one chunk of it. */
function readAll(req: IncomingMessage, length: number): Buffer {
  const chunks: Buffer[] = [];
  for (let missing = length; missing > 0;) {
    const chunk = req.read() as Buffer; // not null: as many bytes as this are there
    if (chunk.length === length) return chunk;
    chunks.push(chunk);
    missing -= chunk.length;
  }
  return Buffer.concat(chunks);
}

function readArriving(
  req: IncomingMessage,
  res: ServerResponse,
  { maxBodyBytes, requestTimeoutMs }: BodyLimits,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const keep = keptBodies.of(res);
    const chunks: Buffer[] = [];
    let length = 0;
    // A promise settles once, so no listener has to be removed.
    const timer = setTimeout(() => {
      reject(tooSlow(requestTimeoutMs));
    }, requestTimeoutMs);
    req.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBodyBytes) reject(tooLarge(maxBodyBytes));
      else if (keep(chunk.length)) chunks.push(chunk);
      else reject(noRoom());
    });
    req.on('end', () => {
      clearTimeout(timer);
      const [first] = chunks;
      resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks));
    });
    req.on('close', () => {
      clearTimeout(timer);
      // A request closes after its end, too. An Error costs as much as the reading, so it isn't made then.
      if (!req.complete) reject(new ClientGoneError('the client closed the connection'));
    });
  });
}

/**
 * A request's body as bytes that stream past; the stream fails where {@link readBody} throws.
 * @throws ApiError 413 where the body is known to be too large
 */
export function streamBody(
  req: IncomingMessage,
  res: ServerResponse,
  { maxBodyBytes, requestTimeoutMs, timedBytes = maxBodyBytes }: BodyLimits,
): Readable {
  askForBody(req, res, maxBodyBytes);
  let length = 0;
  let timedLength = timedBytes;
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      length += chunk.length;
      if (length > timedLength) {
        timedLength = length + timedBytes;
        timer.refresh();
      }
      if (length > maxBodyBytes) done(tooLarge(maxBodyBytes));
      else done(null, chunk);
    },
  });
  const timer = setTimeout(() => {
    // Whoever reads the body is slow, and not the client.
    if (timedBytes < maxBodyBytes && body.writableNeedDrain) timer.refresh();
    else body.destroy(tooSlow(requestTimeoutMs));
  }, requestTimeoutMs);
  req.pipe(body);
  req.on('close', () => {
    clearTimeout(timer);
    if (!req.complete) body.destroy(new ClientGoneError('the client closed the connection'));
  });
  // Nobody waits for the rest of a body that was given up, such as one with a broken item.
  body.on('close', () => {
    clearTimeout(timer);
  });
  // Without a listener, an error of a body that the handler ignores would end the process.
  body.on('error', () => undefined);
  return body;
}

/**
 * The bytes of a form. A short one that says its length is read whole: to stream it costs several times
 * what its bytes do.
 * @throws ApiError 413, 408
 * @throws ClientGoneError
 */
export async function readFormBody(
  req: IncomingMessage,
  res: ServerResponse,
  limits: BodyLimits,
): Promise<FormBody> {
  const length = Number(req.headers['content-length'] ?? Infinity);
  return length <= FORM_MEMORY_BYTES
    ? [await readBody(req, res, limits)]
    : streamBody(req, res, limits);
}

function askForBody(req: IncomingMessage, res: ServerResponse, maxBodyBytes: number): void {
  if (Number(req.headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge(maxBodyBytes);
  // RFC 9110 §10.1.1: the client waits for this word, and gets it only now that its body is wanted. A
  // client of HTTP/1.0 would take it for the response.
  if (req.headers.expect?.toLowerCase() === '100-continue' && req.httpVersionMinor > 0) {
    res.writeContinue();
  }
}

/**
 * The text of a body: UTF-8, which is all that JSON allows between systems (RFC 8259 §8.1).
 * @throws ApiError 400 where it is something else
 */
export function decodeUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new ApiError(EngineCode.malformedJson, 'the body is not valid UTF-8');
  return bytes.toString('utf8');
}

function tooSlow(requestTimeoutMs: number): ApiError {
  return new ApiError(
    EngineCode.timeout,
    `the request did not arrive within ${requestTimeoutMs} ms`,
    { Connection: 'close' },
  );
}

function noRoom(): ApiError {
  return new ApiError(EngineCode.overloaded, 'too many bodies are waiting; nothing was changed', {
    'Retry-After': '1',
  });
}
