import type { ContractDocument } from '../document/document.js';
import { unforeseen, type ApiError } from '../exchange/api-error.js';
import type { OpenStreams } from '../items/open-streams.js';
import type { BodyLimits } from '../message/body.js';
import type { RequestForm } from '../message/form/request-forms.js';
import { createItemReader } from '../message/item-request.js';
import { createRequestReader } from '../message/request.js';
import { createResponder, type Responder, type ResponderOptions } from '../message/responder.js';
import type { Operation } from '../operation/operation.js';
import { requestHeaders } from '../routing/preflight.js';
import type { ReadParameters } from '../parameters/parameters.js';
import type { PathItem, Pipeline } from '../routing/router.js';
import type { Authenticate } from '../security/authenticate.js';
import type { LimitRate } from '../security/rate-limit.js';
import type { OperationValidator, ValidatorLookup } from '../validation/validator.js';
import { createExplain } from './explain.js';
import { createHandlerRequests, type UntypedHandler } from './handler-request.js';
import { createLazyPipeline, warmUp, type LazyPipeline } from './lazy-pipeline.js';
import { createPipeline } from './pipeline.js';
import { createRefusal } from './refused-operation.js';

/** The options of every operation's pipeline. */
export interface PipelineOptions extends ResponderOptions {
  readonly document: ContractDocument;
  readonly limits: BodyLimits;
  /** The status of a request that its schemas refuse; 400 where it is left out. */
  readonly violationStatus?: 400 | 422;
  /** Refuses callers that make too many requests; left out, nobody is. */
  readonly limitRate?: LimitRate | undefined;
  /** Refuses every request while it returns an error, as when the service is stopping. */
  readonly checkAvailable?: () => ApiError | undefined;
  /**
   * Whether to build the validators of a large contract in the background, as soon as it is served. Left
   * out, the first request of each operation waits for its own.
   */
  readonly warmUp?: boolean;
}

/** The options, and the streams that they share. */
export type WithStreams<Options> = Options & { readonly streams: OpenStreams };

/** An operation, and what serves it besides its validator. */
interface OperationParts {
  readonly operation: Operation;
  readonly handler: UntypedHandler;
  readonly authenticate: Authenticate;
  readonly readParameters: ReadParameters;
  readonly forms: ReadonlyMap<string, RequestForm>;
}

interface Served {
  readonly parts: readonly OperationParts[];
  /** The operations that can't be served. */
  readonly refused: readonly Operation[];
  /** Answers what no pipeline does. */
  readonly responder: Responder;
  readonly validatorOf: ValidatorLookup;
}

/** With more operations than this, validators are built when first needed; each takes some ten milliseconds. */
const MAX_BUILT_AT_BOOT = 25;

/** The pipelines of all operations, by their path templates; where two would stand, the first does. */
export async function createPipelines(
  { parts, refused, responder, validatorOf }: Served,
  options: WithStreams<PipelineOptions>,
): Promise<ReadonlyMap<string, PathItem>> {
  const { document, onFault } = options;
  const builders = [
    ...parts.map((part) => ({
      operation: part.operation,
      build: async () => build(part, await validatorOf(part.operation), options),
    })),
    ...refused.map((operation) => ({
      operation,
      build: async () => {
        const validator = await validatorOf(operation);
        return createRefusal(operation, createResponder(document, operation, validator, options));
      },
    })),
  ];
  const paths = new Map<string, PathItem>();
  const pipelines: LazyPipeline[] = [];
  for (const { operation, build: buildPipeline } of builders) {
    const { method, pathTemplate, operationId } = operation;
    const item = paths.get(pathTemplate) ?? (new Map() as PathItem);
    paths.set(pathTemplate, item);
    if (item.has(method)) continue;
    const lazy = createLazyPipeline(buildPipeline, async (error, req, res) => {
      onFault({ operationId, error, status: 500 }, res);
      await responder.refuse(req, res, unforeseen(undefined));
    });
    const pipeline = builders.length <= MAX_BUILT_AT_BOOT ? await lazy.build() : lazy.pipeline;
    pipelines.push(lazy);
    item.set(method, { pipeline, requestHeaders: requestHeaders(document, operation) });
  }
  if (options.warmUp === true) void warmUp(pipelines);
  return paths;
}

async function build(
  { operation, readParameters, forms, ...parts }: OperationParts,
  validator: OperationValidator,
  options: WithStreams<PipelineOptions>,
): Promise<Pipeline> {
  const { document, streams, checkAvailable = () => undefined } = options;
  return createPipeline({
    ...parts,
    operation,
    limitRate: options.limitRate,
    checkAvailable,
    validator,
    explain: createExplain(document, operation),
    receiveRequest: await createRequestReader(operation, {
      ...options,
      ...{ readParameters, forms },
      readItems: createItemReader(document, operation, validator, options.violationStatus),
    }),
    createHandlerRequest: createHandlerRequests(document, operation, streams),
    responder: createResponder(document, operation, validator, options),
    violationStatus: options.violationStatus,
  });
}
