import type { ApiError } from './api-error.js';
import type { Authenticate } from './security/authenticate.js';
import type { ExchangeLocals } from './exchange-locals.js';
import type { BodyLimits } from './message/body.js';
import type { ContractDocument } from './document/document.js';
import { requestEnvelopeSchema, type RequestEnvelope } from './validation/envelope.js';
import { createHeaderNaming } from './parameters/header-parameters.js';
import { compileRestore, type Restore } from './validation/integers.js';
import type { JsonValue } from './json/json-value.js';
import { createAcceptCheck, createMediaTypeCheck } from './message/negotiate.js';
import type { Operation } from './operation.js';
import type { ParameterValues, ReadParameters } from './parameters/parameters.js';
import type { Response } from './message/prepared-response.js';
import type { Reply } from './message/reply.js';
import { createBodyReader } from './message/request-body.js';
import type { Pipeline } from './routing/router.js';
import { schemaViolation } from './validation/problem.js';
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

  return async (req, res, path) => {
    const locals: ExchangeLocals = res.locals;
    locals.operationId = operationId;
    let response;
    try {
      const refusal = refuseAll();
      if (refusal !== undefined) throw refusal;

      // Who is known at once, and a body that is there, are not waited for.
      const identity = authenticate(req);
      const { principal, principals } = identity instanceof Promise ? await identity : identity;
      locals.principal = principal;
      checkAccept(req);
      const declared = checkMediaType(req);
      const mediaType = declared?.mediaType;

      const { headers: sentHeaders, rawHeaders } = req;
      const parameters = readParameters({
        path,
        query: queryOf(req.url),
        headers: sentHeaders,
        rawHeaders,
      });

      const reading = readRequestBody(req, res, declared);
      const sentBody = reading instanceof Promise ? await reading : reading;
      const envelope = toEnvelope(parameters.rounded, sentBody.rounded);
      const exact = toEnvelope(parameters.exact, sentBody.exact ?? null);
      const problems = await validator.validateRequest(mediaType, envelope, exact);
      if (problems.length > 0) throw schemaViolation(problems);
      restore(mediaType, envelope, exact);
      const { path: params, query, cookie: cookies } = envelope;
      const body = sentBody.stream ?? envelope.body;
      const headers = nameHeaders(envelope.header);

      response = await handler({ params, query, headers, cookies, body, principal, principals });
    } catch (error) {
      await reply.refuse(req, res, error);
      return;
    }
    await reply.send(req, res, response);
  };
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
