import type { Request, Response } from 'express';
import { ApiError, EngineCode } from '../exchange/api-error.js';
import { longTurn } from '../exchange/long-turn.js';
import { splitIntegers, type ExactIntegers } from '../json/exact-integers.js';
import { JsonError, type JsonValue } from '../json/json-value.js';
import { readJson } from '../json/json.js';
import type { RequestValue } from '../operation/message-schema.js';
import type { Operation } from '../operation/operation.js';
import type { PathParameters, ReadParameters, SplitParameters } from '../parameters/parameters.js';
import { parseQuery } from '../parameters/query-string.js';
import { createLimitLookup } from './body-limits.js';
import {
  ClientGoneError,
  decodeUtf8,
  LARGE_BODY_BYTES,
  readBody,
  readFormBody,
  streamBody,
  type BodyLimits,
} from './body.js';
import { createMultipartReader } from './form/multipart.js';
import type { ReceivedForm } from './form/received-form.js';
import type { RequestForm } from './form/request-forms.js';
import type { ReadItems } from './item-request.js';
import { createAcceptCheck, createMediaTypeCheck, type DeclaredBody } from './negotiate.js';

/** A request as its operation's validator and handler want it. */
export interface ReceivedRequest {
  /** The body's media type, as the contract declares it; undefined where there is no body. */
  readonly mediaType: string | undefined;
  /** What is validated: parameters and body in one value. */
  readonly value: RequestValue;
  readonly integers: ExactIntegers;
  /** The body where it is neither JSON, nor text, nor a form: a stream or its items, for the handler. */
  readonly stream: unknown;
  /** What a form has beside its value: its files, and what is still to come. */
  readonly form: ReceivedForm | undefined;
}

/**
 * Resolves once all of a request that the contract describes has arrived, with what reads it. That is a
 * step of its own so that nothing which has waited for a body refers to its value: V8 takes what is
 * referred to by an old object, even a dead one, for alive, and copies it in every collection.
 * @throws ApiError 400, 406, 408, 413, 415
 * @throws ClientGoneError
 */
export type ReceiveRequest = (
  req: Request,
  res: Response,
  path: PathParameters,
) => Promise<ReadArrived>;

/** @throws ApiError 400 where the body can't be read */
export type ReadArrived = () => ReceivedRequest;

export interface RequestReaderOptions {
  readonly readParameters: ReadParameters;
  readonly readItems: ReadItems;
  readonly limits: BodyLimits;
  /** The forms that the operation takes, by media type. */
  readonly forms: ReadonlyMap<string, RequestForm>;
  /** The status of a request that its schemas refuse; 400 where it is left out. */
  readonly violationStatus?: 400 | 422 | undefined;
}

export async function createRequestReader(
  operation: Operation,
  { readParameters, readItems, limits: commonLimits, forms, violationStatus }: RequestReaderOptions,
): Promise<ReceiveRequest> {
  const readMultipart = await createMultipartReader(forms, {
    maxTextBytes: commonLimits.maxBodyBytes,
    violationStatus,
  });
  const limitsOf = createLimitLookup(operation, commonLimits);
  const checkAccept = createAcceptCheck(operation);
  const checkMediaType = createMediaTypeCheck(operation);

  return async (req, res, path) => {
    checkAccept(req);
    const declared = checkMediaType(req);
    const { url, headers, rawHeaders } = req;
    const parameters = readParameters({ path, query: queryOf(url), headers, rawHeaders });
    const receive = (body: Body, form?: ReceivedForm): ReceivedRequest =>
      receivedRequest(declared?.mediaType, parameters, body, form);

    if (declared === undefined) {
      if (operation.requestBody?.required === true) throw missingBody();
      return () => receive(NO_BODY);
    }
    const { kind, mediaType } = declared;
    if (kind === 'stream') {
      const stream = streamBody(req, res, limitsOf(mediaType));
      return () => receive({ ...NO_BODY, stream });
    }
    if (kind === 'multipart') {
      const form = await readMultipart(mediaType, req, res, () =>
        readFormBody(req, res, limitsOf(mediaType)),
      );
      const { value, integers } = form;
      return () => receive({ value, integers, stream: undefined }, form);
    }
    if (kind === 'items') {
      const stream = readItems(streamBody(req, res, limitsOf(mediaType)), mediaType);
      return () => receive({ ...NO_BODY, stream });
    }
    const bytes = await readBody(req, res, limitsOf(mediaType));
    if (bytes.length >= LARGE_BODY_BYTES) await waitForTurn(req);
    return () => receive(parseBody(bytes, declared, forms.get(mediaType)));
  };
}

function receivedRequest(
  mediaType: string | undefined,
  parameters: SplitParameters,
  body: Body,
  form: ReceivedForm | undefined,
): ReceivedRequest {
  // Member by member: V8 makes a slow object of a spread, which all that follows would read.
  const { path, query, header, cookie } = parameters.values;
  const value: RequestValue = { path, query, header, cookie, body: body.value };
  let { integers } = parameters;
  if (body.integers !== undefined) integers = { ...integers, body: body.integers };
  const parts = form?.partHeaders;
  if (parts !== undefined) {
    value.parts = parts.value;
    integers = { ...integers, parts: parts.integers };
  }
  return { mediaType, value, integers, stream: body.stream, form };
}

async function waitForTurn({ socket }: Request): Promise<void> {
  await longTurn();
  if (socket.destroyed) throw new ClientGoneError('the client closed the connection');
}

function missingBody(): ApiError {
  return new ApiError(EngineCode.malformedJson, 'this operation needs a body');
}

interface Body {
  readonly value: JsonValue | undefined;
  readonly integers: ExactIntegers;
  readonly stream: unknown;
}

const NO_BODY: Body = { value: undefined, integers: undefined, stream: undefined };

function parseBody(bytes: Buffer, { kind }: DeclaredBody, form: RequestForm | undefined): Body {
  if (form !== undefined) {
    // As octets, a character each: what isn't encoded is taken for its encoding.
    const pairs = parseQuery(bytes.toString('latin1'), 'body');
    return { ...splitIntegers(form.readFields(pairs)), stream: undefined };
  }
  const text = decodeUtf8(bytes);
  if (kind === 'text') return { ...NO_BODY, value: text };
  try {
    const { value, integers } = readJson(text);
    return { value, integers, stream: undefined };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const message = `the body is not valid JSON: ${error.message}`;
    throw new ApiError(EngineCode.malformedJson, message, {}, { cause: error });
  }
}

function queryOf(target: string): string {
  const at = target.indexOf('?');
  return at === -1 ? '' : target.slice(at + 1);
}
