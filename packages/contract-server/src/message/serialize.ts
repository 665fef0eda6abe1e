import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Request } from 'express';
import type { ContractDocument, ResponseObject } from '../document/document.js';
import type { ExchangeLocals } from '../exchange/exchange-locals.js';
import { pointer } from '../json/pointer.js';
import { bodyKindOf, findDeclared, sendableTypes, type BodyKind } from '../operation/media-type.js';
import { declaredResponse, type Operation } from '../operation/operation.js';
import { compileFromHandler } from '../schema/handler-values.js';
import type { ValidatedResponse } from '../validation/validator.js';
import { BrokenResponseError } from './fault.js';
import { appendHeader, setHeader, type HeaderLines } from './header-lines.js';
import { canBe, writeBody } from './response-body.js';
import { createDeclaredHeaders, type DeclaredHeaders } from './response-headers.js';
import type { SerializedResponse } from './write.js';

/** What a handler returns, without the types of its operation. */
export interface UntypedResult {
  readonly status: number;
  readonly headers?: Readonly<Record<string, unknown>> | undefined;
  readonly contentType?: string | undefined;
  readonly body?: unknown;
}

/** A response as it would leave, and the value that is validated for it. */
export interface SerializedResult {
  readonly response: SerializedResponse;
  /** What the body consists of, where its items are written one by one. */
  readonly items: AsyncIterable<unknown> | undefined;
  readonly validated: ValidatedResponse;
}

/**
 * Makes of a handler's result a response that can be validated and then written.
 * @throws BrokenResponseError where its status or its content type isn't declared
 * @throws TypeError, JsonError where it can't be written
 */
export type SerializeResult = (
  req: Request,
  locals: ExchangeLocals,
  result: UntypedResult,
) => SerializedResult;

/** Builds what serializes the results of an operation's handler. */
export function createSerializer(
  document: ContractDocument,
  operation: Operation,
): SerializeResult {
  const prepared = new Map(
    [...operation.responses.values()].map((declared) => [declared, prepare(document, declared)]),
  );

  return (req, locals, result) => {
    const { status } = result;
    const declared = declaredResponse(operation, status);
    const known = declared && prepared.get(declared);
    if (declared === undefined || known === undefined)
      throw undeclared('/status', 'is not declared');
    const { mediaTypes, kinds, conversions, declaredHeaders } = known;
    const contentType = result.contentType ?? preferred(req, kinds, result.body);
    const mediaType = contentType && findDeclared(mediaTypes, contentType);
    if (contentType !== undefined && mediaType === undefined) {
      throw undeclared('/contentType', `${contentType} is not declared`);
    }
    if (contentType?.includes('*') || (contentType === undefined && mediaTypes.length > 0)) {
      throw undeclared(
        '/contentType',
        `must be one of those that ${mediaTypes.join(', ')} includes`,
      );
    }
    const headers = collectHeaders(locals, result.headers, declaredHeaders.write);
    const header = declaredHeaders.read(headers);
    if (contentType !== undefined) setHeader(headers, 'Content-Type', contentType);
    const kind =
      contentType === undefined
        ? 'json'
        : (kinds.get(contentType) ?? bodyKindOf(contentType, declared.content?.[mediaType ?? '']));
    const convert = conversions.get(mediaType ?? '');
    const value = convert === undefined ? result.body : convert(result.body, undefined);
    const { body, checked, integers, items } = writeBody(contentType, kind, value);
    return {
      response: { status, headers, body },
      items,
      validated: {
        declared,
        mediaType,
        value: { header: header.value, body: checked },
        integers: (integers ?? header.integers) && { header: header.integers, body: integers },
      },
    };
  };
}

/** What is known of a declared response before there is a result. */
function prepare(document: ContractDocument, declared: ResponseObject) {
  const content = Object.entries(declared.content ?? {});
  return {
    mediaTypes: content.map(([mediaType]) => mediaType),
    /** By what can be sent. */
    kinds: new Map(
      content.flatMap(([mediaType, declaredBody]) =>
        sendableTypes(mediaType).map((type) => [type, bodyKindOf(type, declaredBody)]),
      ),
    ),
    conversions: new Map(
      content.map(([mediaType, { schema = {} }]) => [
        mediaType,
        compileFromHandler(document, schema),
      ]),
    ),
    declaredHeaders: createDeclaredHeaders(document, declared),
  };
}

function undeclared(place: string, message: string): BrokenResponseError {
  return new BrokenResponseError([{ pointer: place, message }]);
}

/**
 * The headers that go with every response, and its own.
 * @throws BrokenResponseError where one isn't declared
 * @throws TypeError where one can stand in no response
 */
export function collectHeaders(
  { responseHeaders = [] }: ExchangeLocals,
  own: Readonly<Record<string, unknown>> = {},
  write: DeclaredHeaders['write'] = (_name, value) => String(value),
): HeaderLines {
  const headers: HeaderLines = [...responseHeaders];
  for (const [name, value] of Object.entries(own)) {
    validateHeaderName(name);
    const text = write(name, value);
    if (text === undefined) throw undeclared(pointer(['headers', name]), 'is not declared');
    validateHeaderValue(name, text);
    // What the middleware and the handler choose by is one list (RFC 9110 §12.5.5).
    if (name.toLowerCase() === 'vary') appendHeader(headers, name, text);
    else setHeader(headers, name, text);
  }
  return headers;
}

/**
 * Where the handler leaves the choice open: what the client likes best (RFC 9110 §12.5.1) of what the body
 * can be.
 */
function preferred(
  req: Request,
  kinds: ReadonlyMap<string, BodyKind>,
  body: unknown,
): string | undefined {
  const mediaTypes = [...kinds.keys()];
  if (mediaTypes.length < 2) return mediaTypes[0];
  const fitting = mediaTypes.filter((type) => canBe(kinds.get(type) ?? 'json', body));
  const [first] = fitting;
  return req.accepts(fitting) || (first ?? mediaTypes[0]);
}
