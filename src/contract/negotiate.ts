import { parse } from 'content-type';
import type { Request } from 'express';
import { ApiError, EngineCode } from './api-error.js';
import { hasBody } from './body.js';
import type { Operation } from './operation.js';

/**
 * Refuses a request whose `Accept` excludes every media type of the operation's responses.
 * @throws ApiError 406 (RFC 9110 §12.5.1)
 */
export function createAcceptCheck(operation: Operation): (req: Request) => void {
  const mediaTypes = [
    ...new Set(
      [...operation.responses.values()].flatMap(({ content }) => Object.keys(content ?? {})),
    ),
  ];
  return (req) => {
    const { accept } = req.headers;
    if (accept === undefined || accept === '*/*' || mediaTypes.length === 0) return;
    if (accept === mediaTypes[0] || req.accepts(mediaTypes) !== false) return;
    throw new ApiError(
      EngineCode.notAcceptable,
      `the answers of this operation are ${mediaTypes.join(', ')}, which Accept excludes`,
    );
  };
}

/**
 * Finds the media type, of those the operation takes, that a request's body has; undefined where
 * there is no body. What is returned is as the contract writes it, whatever the request's parameters:
 * nothing behind this point sees the raw header.
 * @throws ApiError 415 (RFC 9110 §15.5.16)
 */
export function createMediaTypeCheck(operation: Operation): (req: Request) => string | undefined {
  const declared = [...(operation.requestBody?.content.keys() ?? [])];
  const accept = { Accept: declared.join(', ') };
  return (req) => {
    const { headers } = req;
    if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity') {
      throw new ApiError(EngineCode.contentCoding, 'the body must not have a content coding', {
        'Accept-Encoding': 'identity',
      });
    }
    const contentType = headers['content-type'];
    if (contentType !== undefined && declared.includes(contentType)) return contentType;
    if (!hasBody(req)) return undefined;
    const { type, parameters } = parse(contentType ?? '');
    const mediaType = declared.find((name) => name.toLowerCase() === type.toLowerCase());
    if (mediaType === undefined) {
      throw new ApiError(
        EngineCode.mediaType,
        `this operation takes ${declared.join(', ')}`,
        accept,
      );
    }
    const charset = parameters.charset?.toLowerCase() ?? 'utf-8';
    if (charset !== 'utf-8') {
      throw new ApiError(EngineCode.charset, 'the charset of the body must be UTF-8', accept);
    }
    return mediaType;
  };
}
