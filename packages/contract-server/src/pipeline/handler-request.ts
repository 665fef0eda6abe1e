import type { ServerResponse } from 'node:http';
import type { ContractDocument } from '../document/document.js';
import type { OpenStreams } from '../items/open-streams.js';
import type { ReceivedRequest } from '../message/request.js';
import type { UntypedResult } from '../message/serialize.js';
import { listItems } from '../operation/items.js';
import { requestSchema } from '../operation/message-schema.js';
import type { Operation } from '../operation/operation.js';
import { createHeaderNaming } from '../parameters/header-parameters.js';
import type { Convert } from '../schema/conversion.js';
import { compileToHandler } from '../schema/handler-values.js';
import type { Identity } from '../security/authenticate.js';

/** A handler's argument, without the types of its operation, which the compiler has checked. */
export interface UntypedHandlerRequest extends Identity {
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly cookies: unknown;
  readonly body: unknown;
  /** Of an operation that answers with items: aborts when nobody wants them any more. */
  readonly signal?: AbortSignal;
}

/** A handler, without the types of its operation. */
export type UntypedHandler = (
  request: UntypedHandlerRequest,
) => UntypedResult | Promise<UntypedResult>;

/** Turns a validated request into its handler's argument: int64 as `bigint`, headers by declared names. */
export type CreateHandlerRequest = (
  request: ReceivedRequest,
  identity: Identity,
  res: ServerResponse,
) => UntypedHandlerRequest;

export function createHandlerRequests(
  document: ContractDocument,
  operation: Operation,
  streams: OpenStreams,
): CreateHandlerRequest {
  const nameHeaders = createHeaderNaming(operation);
  const conversions = new Map<string | undefined, Convert | undefined>();
  for (const mediaType of [undefined, ...(operation.requestBody?.content.keys() ?? [])]) {
    conversions.set(
      mediaType,
      compileToHandler(document, requestSchema(document, operation, mediaType)),
    );
  }

  const create: CreateHandlerRequest = (
    { mediaType, value, integers, stream, form },
    { principal, principals },
  ) => {
    // Every conversion changes its object in place.
    conversions.get(mediaType)?.(value, integers);
    const { path, query, header, cookie, body } = value;
    if (form !== undefined) Object.assign(body as object, Object.fromEntries(form.files)); // a form is an object
    return {
      params: path,
      query,
      headers: nameHeaders(header),
      cookies: cookie,
      body: stream ?? body,
      principal,
      principals,
    };
  };
  const answersItems = [...operation.responses.values()].some(
    ({ content }) => listItems(document, Object.entries(content ?? {})).size > 0,
  );
  if (!answersItems) return create;
  return (request, identity, res) => ({
    ...create(request, identity, res),
    signal: streams.signalOf(res),
  });
}

/** Finds the handler of each operation; `problems` gets what is missing or too much. */
export function createHandlerLookup(
  operations: readonly Operation[],
  supplied: object,
  problems: string[],
): (operation: Operation) => UntypedHandler {
  const handlers = new Map<string, UntypedHandler>(Object.entries(supplied));
  const ids = new Set(operations.map(({ operationId }) => operationId));
  for (const id of handlers.keys()) {
    if (!ids.has(id)) problems.push(`handler ${id}: the contract has no such operation`);
  }
  return ({ operationId }) => {
    const handler = handlers.get(operationId);
    if (handler !== undefined) return handler;
    problems.push(`${operationId}: has no handler`);
    // Never served, since the problem stops the boot. Were it called, it would refuse.
    return () => Promise.reject(new Error(`${operationId} has no handler`));
  };
}
