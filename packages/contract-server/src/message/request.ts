import type { Request, Response } from 'express';
import { ApiError, EngineCode } from '../api-error.js';
import type { ExactIntegers } from '../json/exact-integers.js';
import { JsonError, type JsonValue } from '../json/json-value.js';
import { readJson } from '../json/json.js';
import type { RequestValue } from '../operation/message-schema.js';
import type { Operation } from '../operation/operation.js';
import type { PathParameters, ReadParameters } from '../parameters/parameters.js';
import { ClientGoneError, decodeUtf8, readBody, streamBody, type BodyLimits } from './body.js';
import { LARGE_BODY_BYTES, largeTurn } from './large-turn.js';
import { createAcceptCheck, createMediaTypeCheck, type DeclaredBody } from './negotiate.js';

/** A request as its operation's validator and handler want it. */
export interface ReceivedRequest {
  /** The body's media type, as the contract declares it; undefined where there is no body. */
  readonly mediaType: string | undefined;
  /** What is validated: parameters and body in one value. */
  readonly value: RequestValue;
  readonly integers: ExactIntegers;
  /** The body where it is neither JSON nor text: a stream, for the handler to read. */
  readonly stream: unknown;
}

/**
 * Reads all of a request that the contract describes.
 * @throws ApiError 400, 406, 408, 413, 415
 * @throws ClientGoneError
 */
export type ReadRequest = (
  req: Request,
  res: Response,
  path: PathParameters,
) => Promise<ReceivedRequest>;

export function createRequestReader(
  operation: Operation,
  readParameters: ReadParameters,
  limits: BodyLimits,
): ReadRequest {
  const checkAccept = createAcceptCheck(operation);
  const checkMediaType = createMediaTypeCheck(operation);

  return async (req, res, path) => {
    checkAccept(req);
    const declared = checkMediaType(req);
    const { url, headers, rawHeaders } = req;
    const parameters = readParameters({ path, query: queryOf(url), headers, rawHeaders });
    let body = NO_BODY;
    if (declared === undefined) {
      if (operation.requestBody?.required === true) throw missingBody();
    } else if (declared.kind === 'stream') {
      body = { ...NO_BODY, stream: streamBody(req, res, limits) };
    } else {
      const bytes = await readBody(req, res, limits);
      if (bytes.length >= LARGE_BODY_BYTES) await waitForLargeTurn(req);
      body = parseBody(bytes, declared);
    }
    // Member by member: V8 makes a slow object of a spread, which all that follows would read.
    const { path: pathValues, query, header, cookie } = parameters.values;
    return {
      mediaType: declared?.mediaType,
      value: { path: pathValues, query, header, cookie, body: body.value },
      integers:
        body.integers === undefined
          ? parameters.integers
          : { ...parameters.integers, body: body.integers },
      stream: body.stream,
    };
  };
}

async function waitForLargeTurn({ socket }: Request): Promise<void> {
  await largeTurn();
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

function parseBody(bytes: Buffer, { kind }: DeclaredBody): Body {
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
