import type { IncomingMessage, ServerResponse } from 'node:http';
import { after } from '../after.js';
import { ApiError, EngineCode } from '../api-error.js';
import { ClientGoneError, decodeUtf8, readBody, streamBody, type BodyLimits } from './body.js';
import { parseJson } from '../json/json.js';
import { JsonError, type ParsedJson } from '../json/json-value.js';
import { LARGE_BODY_BYTES, largeTurn } from './large-turn.js';
import type { DeclaredBody } from './negotiate.js';
import type { Operation } from '../operation/operation.js';

/** A request's body, read as its media type wants it. */
export interface RequestBody extends Partial<ParsedJson> {
  /** For the handler, where the body is bytes, which nobody else reads. */
  readonly stream?: unknown;
}

export type ReadRequestBody = (
  req: IncomingMessage,
  res: ServerResponse,
  declared: DeclaredBody | undefined,
) => RequestBody | Promise<RequestBody>;

/**
 * Builds the reader of an operation's bodies.
 * @throws ApiError 400 where a body is missing, or is not what its media type says; 408, 413
 */
export function createBodyReader(operation: Operation, limits: BodyLimits): ReadRequestBody {
  return (req, res, declared) => {
    if (declared === undefined) {
      if (operation.requestBody?.required !== true) return {};
      throw new ApiError(EngineCode.malformedJson, 'this operation needs a body');
    }
    if (declared.kind === 'stream') return { stream: streamBody(req, res, limits) };
    return after(readBody(req, res, limits), (bytes) =>
      bytes.length < LARGE_BODY_BYTES
        ? parseText(bytes, declared)
        : parseLarge(bytes, declared, req),
    );
  };
}

async function parseLarge(
  bytes: Buffer,
  declared: DeclaredBody,
  { socket }: IncomingMessage,
): Promise<RequestBody> {
  await largeTurn();
  if (socket.destroyed) throw new ClientGoneError('the client closed the connection');
  return parseText(bytes, declared);
}

function parseText(bytes: Buffer, { kind }: DeclaredBody): RequestBody {
  const text = decodeUtf8(bytes);
  if (kind === 'text') return { exact: text, rounded: text };
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new ApiError(
      EngineCode.malformedJson,
      `the body is not valid JSON: ${error.message}`,
      {},
      { cause: error },
    );
  }
}
