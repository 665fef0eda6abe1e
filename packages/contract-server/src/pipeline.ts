import { after } from './after.js';
import type { ApiError } from './api-error.js';
import type { Authenticate, Identity } from './security/authenticate.js';
import type { ExchangeLocals } from './exchange-locals.js';
import type { BodyLimits } from './message/body.js';
import type { ContractDocument } from './document/document.js';
import { requestEnvelopeSchema, type RequestEnvelope } from './validation/envelope.js';
import { createHeaderNaming } from './parameters/header-parameters.js';
import { compileRestore, type Restore } from './schema/integers.js';
import type { JsonValue } from './json/json-value.js';
import { createAcceptCheck, createMediaTypeCheck } from './message/negotiate.js';
import type { Operation } from './operation/operation.js';
import type { ParameterValues, ParsedParameters, ReadParameters } from './parameters/parameters.js';
import type { Response } from './message/prepared-response.js';
import type { Reply } from './message/reply.js';
import { createBodyReader, type RequestBody } from './message/request-body.js';
import type { Pipeline } from './routing/router.js';
import { schemaViolation, type Problem } from './validation/problem.js';
import type { OperationValidator } from './validation/validator.js';

/** A handler, once its operation's types have done their work. */
export type UntypedHandler = (request: {
  params: unknown;
  query: unknown;
  headers: unknown;
  cookies: unknown;
  body: unknown;
  principal: unknown;
  principals: Readonly<Record<string, unknown>>;
}) => Response | Promise<Response>;

/** What the stages of one operation need; all of it is made at boot. */
export interface PipelineParts {
  readonly authenticate: Authenticate;
  readonly readParameters: ReadParameters;
  readonly validator: OperationValidator;
  readonly handler: UntypedHandler;
  readonly reply: Reply;
}

export interface PipelineOptions {
  readonly limits: BodyLimits;
  /** Refuses every request while it returns an error, as when the service is stopping. */
  readonly refuseAll: () => ApiError | undefined;
}

/** Everything that happens to a request of one operation, in order. */
export function createPipeline(
  document: ContractDocument,
  operation: Operation,
  { authenticate, readParameters, validator, handler, reply }: PipelineParts,
  { limits, refuseAll }: PipelineOptions,
): Pipeline {
  const { operationId } = operation;
  const checkAccept = createAcceptCheck(operation);
  const checkMediaType = createMediaTypeCheck(operation);
  const readRequestBody = createBodyReader(operation, limits);
  const restore = createRestore(document, operation);
  const nameHeaders = createHeaderNaming(operation);

  return (req, res, path, giveUp) => {
    const locals: ExchangeLocals = res.locals;
    locals.operationId = operationId;

    function refuse(thrown: unknown): void {
      reply.refuse(req, res, thrown, giveUp);
    }

    function read(identity: Identity): void {
      locals.principal = identity.principal;
      checkAccept(req);
      const declared = checkMediaType(req);
      const { url, headers, rawHeaders } = req;
      const parameters = readParameters({ path, query: queryOf(url), headers, rawHeaders });
      const judgeBody = (body: RequestBody): void => {
        judge(identity, declared?.mediaType, parameters, body);
      };
      proceed(readRequestBody(req, res, declared), judgeBody, refuse);
    }

    function judge(
      identity: Identity,
      mediaType: string | undefined,
      { rounded, exact }: ParsedParameters,
      sentBody: RequestBody,
    ): void {
      const request = {
        envelope: toEnvelope(rounded, sentBody.rounded),
        exact: toEnvelope(exact, sentBody.exact ?? null),
      };
      const use = (problems: readonly Problem[]): void => {
        if (problems.length > 0) throw schemaViolation(problems);
        restore(mediaType, request.envelope, request.exact);
        handle(identity, request.envelope, sentBody.stream);
      };
      validator.validateRequest(mediaType, request, { use, fail: refuse });
    }

    function handle(
      { principal, principals }: Identity,
      { path: params, query, header, cookie: cookies, body }: RequestEnvelope,
      stream: unknown,
    ): void {
      const headers = nameHeaders(header);
      const sent = { params, query, headers, cookies, body: stream ?? body, principal, principals };
      proceed(handler(sent), send, refuse);
    }

    function send(response: Response): void {
      reply.send(req, res, response, giveUp);
    }

    try {
      const refusal = refuseAll();
      if (refusal !== undefined) throw refusal;
      proceed(authenticate(req), read, refuse);
    } catch (error) {
      refuse(error);
    }
  };
}

/** Goes on with a value as {@link after} does; what goes wrong later goes to `fail`. */
function proceed<Value>(
  value: Value | Promise<Value>,
  next: (value: Value) => void,
  fail: (error: unknown) => void,
): void {
  const going = after(value, next);
  if (going instanceof Promise) going.catch(fail);
}

function toEnvelope<Body>({ path, query, header, cookie }: ParameterValues, body: Body) {
  return { path, query, header, cookie, body };
}

/** Gives a validated envelope its exact integers, by the media type of its body. */
function createRestore(
  document: ContractDocument,
  operation: Operation,
): (mediaType: string | undefined, rounded: RequestEnvelope, exact: JsonValue) => void {
  const restores = new Map<string | undefined, Restore | undefined>();
  for (const mediaType of [undefined, ...(operation.requestBody?.content.keys() ?? [])]) {
    restores.set(mediaType, compileRestore(document, requestEnvelopeSchema(operation, mediaType)));
  }
  return (mediaType, rounded, exact) => {
    // Every restore of an object writes in place.
    restores.get(mediaType)?.(rounded, exact);
  };
}

function queryOf(target: string): string {
  const at = target.indexOf('?');
  return at === -1 ? '' : target.slice(at + 1);
}
