import { parse } from 'content-type';
import type { Request } from 'express';
import type { MediaTypeObject } from '../document/document.js';
import { ApiError, EngineCode } from '../exchange/api-error.js';
import {
  bodyKindOf,
  findDeclared,
  formKindOf,
  overlap,
  type RequestBodyKind,
} from '../operation/media-type.js';
import type { Operation } from '../operation/operation.js';
import { hasBody } from './body.js';

/** A request's body, by the contract: the media type as it is declared there, and how to read it. */
export interface DeclaredBody {
  readonly mediaType: string;
  readonly kind: RequestBodyKind;
}

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
  const ranges = mediaTypes.filter((mediaType) => mediaType.includes('*'));
  return (req) => {
    const { accept } = req.headers;
    if (accept === undefined || accept === '*/*' || mediaTypes.length === 0) return;
    if (accept === mediaTypes[0] || req.accepts(mediaTypes) !== false) return;
    // The library takes a range that is offered for a media type.
    if (ranges.some((range) => req.accepts().some((type) => overlap(range, type)))) return;
    throw new ApiError(
      EngineCode.notAcceptable,
      `the answers of this operation are ${mediaTypes.join(', ')}, which Accept excludes`,
    );
  };
}

/** A form without a field is written as no bytes at all. */
function isEmptyForm({ headers }: Request): boolean {
  return (
    headers['content-length'] === '0' && formKindOf(headers['content-type'] ?? '') === 'urlencoded'
  );
}

/**
 * Finds the media type, of those the operation takes, that a request's body has; undefined where
 * there is no body. What is returned is as the contract writes it, whatever the request's parameters:
 * nothing behind this point sees the raw header.
 * @throws ApiError 415 (RFC 9110 §15.5.16)
 */
export function createMediaTypeCheck(
  operation: Operation,
): (req: Request) => DeclaredBody | undefined {
  const content = operation.requestBody?.content ?? new Map<string, MediaTypeObject>();
  const declared = [...content.keys()];
  const accept = { Accept: declared.join(', ') };
  /** For the header as the contract writes it, which is what most clients send. */
  const plain = new Map(
    [...content].map(([mediaType, object]) => [
      mediaType,
      { mediaType, kind: formKindOf(mediaType) ?? bodyKindOf(mediaType, object) },
    ]),
  );

  return (req) => {
    const { headers } = req;
    // RFC 9110 §9.3.1: where none is described, a body means nothing.
    if (declared.length === 0) return undefined;
    if (!hasBody(req) && !isEmptyForm(req)) return undefined;
    if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity') {
      throw new ApiError(EngineCode.contentCoding, 'the body must not have a content coding', {
        'Accept-Encoding': 'identity',
      });
    }
    const contentType = headers['content-type'] ?? '';
    return plain.get(contentType) ?? negotiate(contentType);
  };

  function negotiate(contentType: string): DeclaredBody {
    const { type, parameters } = parse(contentType);
    const mediaType = findDeclared(declared, type);
    if (mediaType === undefined) {
      throw new ApiError(EngineCode.mediaType, `this operation takes ${accept.Accept}`, accept);
    }
    const kind = formKindOf(mediaType) ?? bodyKindOf(type, content.get(mediaType));
    const charset = parameters.charset?.toLowerCase() ?? 'utf-8';
    if (kind !== 'stream' && charset !== 'utf-8') {
      throw new ApiError(EngineCode.charset, 'the charset of the body must be UTF-8', accept);
    }
    return { mediaType, kind };
  }
}
