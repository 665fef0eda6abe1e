import type { Request, Response } from 'express';
import type { ApiError } from '../exchange/api-error.js';
import type { ExchangeLocals } from '../exchange/exchange-locals.js';
import type { ObservedOperation } from '../exchange/observer.js';
import type { ReceivedRequest, ReceiveRequest } from '../message/request.js';
import type { Responder } from '../message/responder.js';
import type { Pipeline } from '../routing/router.js';
import type { Authenticate, Identity } from '../security/authenticate.js';
import type { LimitRate } from '../security/rate-limit.js';
import { schemaViolation } from '../validation/problem.js';
import type { OperationValidator } from '../validation/validator.js';
import type { Explain } from './explain.js';
import type { CreateHandlerRequest, UntypedHandler } from './handler-request.js';

/** The stages of one operation; all of them are made at boot. */
export interface Stages {
  readonly operation: ObservedOperation;
  /** The error that refuses every request for now, such as while the service stops. */
  readonly checkAvailable: () => ApiError | undefined;
  readonly authenticate: Authenticate;
  readonly limitRate: LimitRate | undefined;
  readonly receiveRequest: ReceiveRequest;
  readonly validator: OperationValidator;
  readonly explain: Explain;
  readonly createHandlerRequest: CreateHandlerRequest;
  readonly handler: UntypedHandler;
  readonly responder: Responder;
  readonly violationStatus: 400 | 422 | undefined;
}

/** Everything that happens to a request of one operation, in order. */
export function createPipeline({
  operation,
  checkAvailable,
  authenticate,
  limitRate,
  receiveRequest,
  validator,
  explain,
  createHandlerRequest,
  handler,
  responder,
  violationStatus,
}: Stages): Pipeline {
  return async (req, res, path) => {
    const locals: ExchangeLocals = res.locals;
    locals.operationId = operation.operationId;
    const { observation } = locals;
    observation?.routed(operation, req.baseUrl);
    try {
      const refusal = checkAvailable();
      if (refusal !== undefined) throw refusal;

      const identity = await authenticate(req);
      locals.principal = identity.principal;
      if (limitRate !== undefined) await limitRate(locals, identity.principal);

      const readArrived = await receiveRequest(req, res, path);
      await serve(req, res, identity, readArrived());
    } catch (error) {
      await responder.refuse(req, res, error);
    }
  };

  async function serve(
    req: Request,
    res: Response,
    identity: Identity,
    request: ReceivedRequest,
  ): Promise<void> {
    const { observation }: ExchangeLocals = res.locals;
    const { form } = request;
    try {
      const problems = await validator.validateRequest(request);
      if (problems.length > 0) {
        throw schemaViolation(explain(problems, request, req.originalUrl), violationStatus);
      }

      const handlerRequest = createHandlerRequest(request, identity, res);
      const result = await (observation === undefined
        ? handler(handlerRequest)
        : observation.handle(handler, handlerRequest));
      if (form !== undefined) {
        if (result.status < 400) await form.finish();
        else form.abandon();
      }
      await responder.respond(req, res, result);
    } catch (error) {
      form?.abandon();
      // What is wrong with the form is why its handler failed.
      throw form?.failure ?? error;
    }
  }
}
