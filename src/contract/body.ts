import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, EngineCode } from './api-error.js';

export interface BodyLimits {
  readonly maxBodyBytes: number;
  /** From the first look at the body to its end. */
  readonly requestTimeoutMs: number;
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
 * Consumes a request's body; empty where there is none.
 * @throws ApiError 413, also while the body streams in, and 408
 * @throws ClientGoneError
 */
export async function readBody(
  req: IncomingMessage,
  res: ServerResponse,
  { maxBodyBytes, requestTimeoutMs }: BodyLimits,
): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > maxBodyBytes) {
    throw tooLarge(maxBodyBytes);
  }
  if (req.complete) return readArrived(req, maxBodyBytes);
  // RFC 9110 §10.1.1: the client waits for our word, and gets it only now that its body is wanted;
  // one of HTTP/1.0 would take it for the answer.
  if (req.headers.expect?.toLowerCase() === '100-continue' && req.httpVersionMinor > 0) {
    res.writeContinue();
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const timer = setTimeout(() => {
      settle();
      reject(
        new ApiError(
          EngineCode.timeout,
          `the request did not arrive within ${requestTimeoutMs} ms`,
          {
            Connection: 'close',
          },
        ),
      );
    }, requestTimeoutMs);
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > maxBodyBytes) {
        settle();
        reject(tooLarge(maxBodyBytes));
      } else {
        chunks.push(chunk);
      }
    };
    const onEnd = (): void => {
      settle();
      const [first] = chunks;
      resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, length));
    };
    const onGone = (): void => {
      settle();
      reject(new ClientGoneError('the client closed the connection while its body was read'));
    };
    const settle = (): void => {
      clearTimeout(timer);
      req.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      req.on('error', () => undefined);
    };
    req.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

/** What has arrived with the headers needs neither listeners nor a timer. */
function readArrived(req: IncomingMessage, maxBodyBytes: number): Buffer {
  // A request's stream has no encoding, so what it holds is a Buffer.
  const bytes = (req.read() ?? EMPTY) as Buffer;
  if (bytes.length > maxBodyBytes) throw tooLarge(maxBodyBytes);
  return bytes;
}

const EMPTY = Buffer.alloc(0);

/**
 * The text of a body: UTF-8, which is all that JSON allows between systems (RFC 8259 §8.1).
 * @throws ApiError 400 where it is something else
 */
export function decodeUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new ApiError(EngineCode.malformedJson, 'the body is not valid UTF-8');
  return bytes.toString('utf8');
}

function tooLarge(maxBodyBytes: number): ApiError {
  return new ApiError(
    EngineCode.tooLarge,
    `the body is larger than the ${maxBodyBytes} bytes allowed`,
  );
}
