import { validateHeaderValue, type IncomingMessage, type ServerResponse } from 'node:http';
import { ApiError, unforeseen } from './api-error.js';
import { ClientGoneError } from './body.js';
import type { ContractDocument } from './document.js';
import { parseJson, writeJson } from './json.js';
import { declaredResponse, type Operation } from './operation.js';
import type { Problem } from './problem.js';
import { declaredHeaders } from './envelope.js';
import type { OperationValidator } from './validator.js';
import { writeResponse, type WireResponse } from './wire.js';

/** A response as a handler returns it. */
export interface Response {
  readonly status: number;
  readonly headers?: Readonly<Record<string, unknown>> | undefined;
  readonly contentType?: string | undefined;
  readonly body?: unknown;
}

/** Something that is our fault. The client is told `unforeseen`; this is for the log. */
export interface Fault {
  readonly operationId: string;
  /** What was thrown, if anything was. */
  readonly error?: unknown;
  /** The status of a response that is not what the contract says, and what is wrong with it. */
  readonly status?: number | undefined;
  readonly problems?: readonly Problem[];
}

export interface ReplyOptions {
  /** The body, in the contract's own shape, that tells a client of an error. */
  readonly errorBody: (error: ApiError) => unknown;
  readonly onFault: (fault: Fault, res: ServerResponse) => void;
}

/** Answers the requests of one operation; nothing passes it that the contract doesn't declare. */
export interface Reply {
  send(req: IncomingMessage, res: ServerResponse, response: Response): void;
  /** Answers with what was thrown, in the contract's error shape. */
  refuse(req: IncomingMessage, res: ServerResponse, thrown: unknown): void;
}

const BARE_500: WireResponse = { status: 500, headers: {}, text: '' };

export function createReply(
  document: ContractDocument,
  operation: Operation,
  { validateResponse }: OperationValidator,
  { errorBody, onFault }: ReplyOptions,
): Reply {
  const { operationId } = operation;
  const readHeadersOf = new Map(
    [...operation.responses.values()].map((declared) => [
      declared,
      createHeadersReader(document, declaredHeaders(document, declared)),
    ]),
  );

  function check(response: Response, res: ServerResponse): WireResponse | Problem[] {
    const { status, body } = response;
    const declared = declaredResponse(operation, status);
    if (declared === undefined) return [{ pointer: '/status', message: 'is not declared' }];
    const mediaTypes = Object.keys(declared.content ?? {});
    const contentType = response.contentType ?? mediaTypes[0];
    if (contentType !== undefined && !mediaTypes.includes(contentType)) {
      return [{ pointer: '/contentType', message: `${contentType} is not declared` }];
    }
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(response.headers ?? {})) {
      headers[name] = String(value);
      validateHeaderValue(name, headers[name]);
    }
    const text = body === undefined ? '' : writeJson(body);
    const problems = validateResponse(status, contentType, {
      header: readHeadersOf.get(declared)?.(headers, res) ?? {},
      // The very text that leaves is read again, so that what was checked is what is sent.
      ...(text !== '' && { body: parseJson(text).rounded }),
    });
    if (problems.length > 0) return problems;
    if (contentType !== undefined) headers['Content-Type'] = contentType;
    return { status, headers, text };
  }

  /** Never throws: what goes wrong while a response is made or checked is wrong with the response. */
  function attempt(
    make: () => Response,
    res: ServerResponse,
  ): WireResponse | (Fault & { problems: Problem[] }) {
    let status: number | undefined;
    try {
      const response = make();
      ({ status } = response);
      const checked = check(response, res);
      return Array.isArray(checked) ? { operationId, status, problems: checked } : checked;
    } catch (error) {
      return { operationId, status, problems: [{ pointer: '', message: String(error) }] };
    }
  }

  function send(req: IncomingMessage, res: ServerResponse, make: () => Response): void {
    const checked = attempt(make, res);
    if (!('problems' in checked)) {
      writeResponse(req, res, checked);
      return;
    }
    onFault(checked, res);
    const fallback = attempt(() => toResponse(unforeseen(undefined)), res);
    // Should the contract's own 500 be out of reach too, then nothing unchecked leaves.
    writeResponse(req, res, 'problems' in fallback ? BARE_500 : fallback);
  }

  function toResponse(error: ApiError): Response {
    return { status: error.status, headers: error.headers, body: errorBody(error) };
  }

  return {
    send(req, res, response) {
      send(req, res, () => response);
    },
    refuse(req, res, thrown) {
      if (thrown instanceof ClientGoneError) {
        res.destroy();
        return;
      }
      const error = thrown instanceof ApiError ? thrown : unforeseen(thrown);
      if (error.cause !== undefined && error.status >= 500) {
        onFault({ operationId, error: error.cause, status: error.status }, res);
      }
      send(req, res, () => toResponse(error));
    },
  };
}

type HeadersReader = (
  headers: Readonly<Record<string, string>>,
  res: ServerResponse,
) => Record<string, unknown>;

/** Reads the declared headers of a response, those already set on it included, by their schemas' types. */
function createHeadersReader(
  document: ContractDocument,
  declared: ReturnType<typeof declaredHeaders>,
): HeadersReader {
  const types = [...declared].map(
    ([name, { schema }]) => [name, document.resolve(schema)?.type] as const,
  );
  return (headers, res) => {
    const byName = new Map(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const read: Record<string, unknown> = {};
    for (const [name, type] of types) {
      const value = byName.get(name) ?? res.getHeader(name);
      if (value !== undefined) read[name] = readHeader(String(value), type);
    }
    return read;
  };
}

const HEADER_NUMBER = /^-?\d+(\.\d+)?$/;

/** A header's value as its schema's type; as it stands where it isn't one, for the schema to refuse. */
function readHeader(value: string, type: unknown): unknown {
  if ((type === 'integer' || type === 'number') && HEADER_NUMBER.test(value)) return Number(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}
