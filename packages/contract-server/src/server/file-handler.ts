import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { RequestHandler } from 'express';
import { ApiError, EngineCode } from '../exchange/api-error.js';
import { setResponseHeaders } from '../exchange/exchange-locals.js';

const METHODS = 'GET, HEAD, OPTIONS';

/**
 * Answers GET and HEAD with the same bytes, gzipped for who takes that, and with 304 where the client has
 * them (RFC 9110 §13.1.2). It stands outside the contract; other methods are refused in its shape.
 * @param headers of these answers; `Content-Type` among them
 * @throws ApiError 405, for the app's error handler
 */
export function createFileHandler(
  content: string | Buffer,
  headers: Readonly<Record<string, string>>,
): RequestHandler[] {
  const body = Buffer.from(content);
  const digest = createHash('sha256').update(body).digest('base64url');
  const gzipped = gzipSync(body);

  const answer: RequestHandler = (req, res) => {
    if (req.method === 'OPTIONS') {
      res
        .status(204)
        .set({ ...headers, Allow: METHODS })
        .removeHeader('Content-Type');
      res.end();
      return;
    }
    if (req.method !== 'GET' && req.method !== 'HEAD') throw unknownMethod(req.method);
    const isGzipped = req.acceptsEncodings('gzip', 'identity') === 'gzip';
    res.set({ ...headers, 'X-Content-Type-Options': 'nosniff' }).vary('Accept-Encoding');
    if (isGzipped) res.set('Content-Encoding', 'gzip');
    // A strong one tells the two forms apart (RFC 9110 §8.8.3.3). `send` compares it with the client's.
    res.set('ETag', isGzipped ? `"${digest}-gzip"` : `"${digest}"`);
    res.send(isGzipped ? gzipped : body);
  };
  return [setResponseHeaders, answer];
}

function unknownMethod(method: string): ApiError {
  return new ApiError(
    EngineCode.unknownMethod,
    `${method} is not a method of this path, which has: ${METHODS}`,
    { Allow: METHODS },
  );
}
