import type { ContractDocument, ResponseObject, Schema } from '../document/document.js';
import {
  requestMessages,
  requestSchema,
  responseMessages,
  responseSchema,
  type NormaliseSchema,
} from '../operation/message-schema.js';
import type { Direction } from '../schema/direction.js';
import { Normaliser, type SchemaWarning, type Normalised } from './normalise/normaliser.js';
import type { Exactness } from './normalise/rule.js';
import type { Operation } from '../operation/operation.js';

/** Messages of one kind as the validator gets them, such as requests with a body of one media type. */
export interface Slice {
  readonly direction: Direction;
  readonly schema: Schema;
  /** The names of the components that it refers to; {@link reachedComponents} has what those refer to. */
  readonly uses: ReadonlySet<string>;
  /** What the schema doesn't enforce; its components have warnings of their own. */
  readonly warnings: ReadonlySet<SchemaWarning>;
  /** What its parts must be judged by exact numbers for; {@link exactnessOf} has its components, too. */
  readonly exact: readonly Exactness[];
}

/** The slices of an operation. */
export interface OperationSlices {
  /** By what {@link requestMessages} says that a request may be. */
  readonly requests: ReadonlyMap<string | undefined, Slice>;
  /** By the declared response, then by what {@link responseMessages} says of it. */
  readonly responses: ReadonlyMap<ResponseObject, ResponseSlices>;
}

type ResponseSlices = ReadonlyMap<string | undefined, Slice>;

/** The slices that are written, by their operations: the check at boot and the validator need the same. */
const slicesByOperation = new WeakMap<Operation, OperationSlices>();

/**
 * An operation's messages as the validator takes them, written when they are first asked for: the
 * schemas of request values and response values, and nothing else.
 * @throws ContractError where a reference leads nowhere, or a schema isn't one
 */
export function sliceOperation(document: ContractDocument, operation: Operation): OperationSlices {
  const known = slicesByOperation.get(operation);
  if (known !== undefined) return known;
  const slices = {
    requests: new Map(
      requestMessages(document, operation).map((mediaType) => [
        mediaType,
        writeSlice(document, 'request', (normalise) =>
          requestSchema(document, operation, mediaType, normalise),
        ),
      ]),
    ),
    responses: new Map(
      [...new Set(operation.responses.values())].map((declared) => [
        declared,
        sliceResponse(document, declared),
      ]),
    ),
  };
  slicesByOperation.set(operation, slices);
  return slices;
}

function sliceResponse(document: ContractDocument, declared: ResponseObject): ResponseSlices {
  const { slicesByResponse } = sharedBy(document);
  const known = slicesByResponse.get(declared);
  if (known !== undefined) return known;
  const slices = new Map(
    responseMessages(document, declared).map((mediaType) => [
      mediaType,
      writeSlice(document, 'response', (normalise) =>
        responseSchema(document, declared, mediaType, normalise),
      ),
    ]),
  );
  slicesByResponse.set(declared, slices);
  return slices;
}

function writeSlice(
  document: ContractDocument,
  direction: Direction,
  write: (normalise: NormaliseSchema) => Schema,
): Slice {
  const normaliser = sharedBy(document)[direction];
  const uses = new Set<string>();
  const warnings = new Set<SchemaWarning>();
  const exact: Exactness[] = [];
  const schema = write((inner, isRequired) => {
    const normalised = normaliser.normalise(inner, isRequired);
    normalised.uses.forEach((name) => uses.add(name));
    normalised.warnings.forEach((warning) => warnings.add(warning));
    exact.push(normalised.exact);
    return normalised.schema as Schema; // of a schema comes a schema
  });
  return { direction, schema, uses, warnings, exact };
}

/** All slices of an operation. */
export function slicesIn({ requests, responses }: OperationSlices): Slice[] {
  return [
    ...requests.values(),
    ...[...responses.values()].flatMap((slices) => [...slices.values()]),
  ];
}

/** The components that some slices reach, by name, which is the same in all slices of a contract. */
export function reachedComponents(
  document: ContractDocument,
  some: readonly Slice[],
): ReadonlyMap<string, Normalised> {
  const { request, response } = sharedBy(document);
  const reached = new Map<string, Normalised>();
  const queue = some.flatMap(({ uses }) => [...uses]);
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const component = request.components.get(name) ?? response.components.get(name);
    if (component === undefined || reached.has(name)) continue;
    reached.set(name, component);
    queue.push(...component.uses);
  }
  return reached;
}

/** What some slices, with the components that they reach, must be judged by exact numbers for. */
export function exactnessOf(document: ContractDocument, some: readonly Slice[]): Exactness {
  const all = [
    ...some.flatMap(({ exact }) => exact),
    ...[...reachedComponents(document, some).values()].map(({ exact }) => exact),
  ];
  return {
    literals: new Set(all.flatMap(({ literals }) => [...literals])),
    factors: new Set(all.flatMap(({ factors }) => [...factors])),
    hasUniqueItems: all.some(({ hasUniqueItems }) => hasUniqueItems),
  };
}

/** What the operations of a contract share is written once. */
interface Shared {
  readonly request: Normaliser;
  readonly response: Normaliser;
  readonly slicesByResponse: Map<ResponseObject, ResponseSlices>;
}

const sharedByDocument = new WeakMap<ContractDocument, Shared>();

function sharedBy(document: ContractDocument): Shared {
  const known = sharedByDocument.get(document);
  if (known !== undefined) return known;
  const created: Shared = {
    request: new Normaliser(document, 'request'),
    response: new Normaliser(document, 'response'),
    slicesByResponse: new Map(),
  };
  sharedByDocument.set(document, created);
  return created;
}
