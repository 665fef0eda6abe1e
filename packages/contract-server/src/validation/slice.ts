import type { ContractDocument, ResponseObject, Schema } from '../document/document.js';
import { ContractError } from '../contract-error.js';
import {
  requestMessages,
  requestSchema,
  responseMessages,
  responseSchema,
  type NormaliseSchema,
} from '../operation/message-schema.js';
import { Normaliser, type SchemaWarning, type Normalised } from './normalise/normaliser.js';
import type { Operation } from '../operation/operation.js';

/** The path of a slice's operation in the joined document; the router has already matched the real one. */
export const slicePath = (index: number): string => `/${index}`;
export const SLICE_METHOD = 'POST';

/** One operation as the validator gets it. */
export interface OperationSlice {
  /** Its Operation Object: request values in, response values out. */
  readonly operation: object;
  /** The names of the components that it refers to; {@link reachedComponents} has what those refer to. */
  readonly uses: ReadonlySet<string>;
  /** What a request may be, as {@link requestMessages} says. */
  readonly mediaTypes: readonly (string | undefined)[];
  /** Under which status each response stands, by what {@link responseMessages} says of it. */
  readonly statuses: ReadonlyMap<ResponseObject, ReadonlyMap<string | undefined, number>>;
  /** What its own schemas don't enforce; its components have warnings of their own. */
  readonly warnings: ReadonlySet<SchemaWarning>;
}

/** The slices that are written, by their operations: the check at boot and the validator need the same. */
const slices = new WeakMap<Operation, OperationSlice>();

/**
 * An operation as the validator takes it, written when it is first asked for: the schemas of its request
 * values and response values, and nothing else. What the validator reads wrongly is written so that it
 * reads it right; see {@link Normaliser}, {@link FIRST_STATUS} and {@link sliceMediaType}.
 * @throws ContractError where a reference leads nowhere, or a schema isn't one
 */
export function sliceOperation(document: ContractDocument, operation: Operation): OperationSlice {
  const slice = slices.get(operation) ?? writeSlice(document, operation);
  slices.set(operation, slice);
  return slice;
}

function writeSlice(document: ContractDocument, operation: Operation): OperationSlice {
  const normalisers = normalisersOf(document);
  const uses = new Set<string>();
  const warnings = new Set<SchemaWarning>();
  const normaliseBy =
    (normaliser: Normaliser): NormaliseSchema =>
    (schema, isRequired) => {
      const normalised = normaliser.normalise(schema, isRequired);
      normalised.uses.forEach((name) => uses.add(name));
      normalised.warnings.forEach((warning) => warnings.add(warning));
      return normalised.schema as Schema; // of a schema comes a schema
    };
  const mediaTypes = requestMessages(document, operation);
  const content: Record<string, { schema: Schema }> = {};
  for (const mediaType of mediaTypes) {
    const normalise = normaliseBy(normalisers.request);
    const schema = requestSchema(document, operation, mediaType, normalise);
    content[sliceMediaType(mediaTypes, mediaType) ?? '*/*'] = { schema: listOf(schema) };
  }
  const requestBody = { required: true, content };
  const statuses = numberResponses(document, operation);
  const responses: Record<string, object> = {};
  for (const [declared, byMediaType] of statuses) {
    for (const [mediaType, status] of byMediaType) {
      const schema = responseSchema(
        document,
        declared,
        mediaType,
        normaliseBy(normalisers.response),
      );
      responses[status] = {
        description: '',
        content: { [JSON_MEDIA_TYPE]: { schema: listOf(schema) } },
      };
    }
  }
  return { operation: { requestBody, responses }, uses, mediaTypes, statuses, warnings };
}

/** The components that some slices reach, by name, which is the same in all slices of a contract. */
export function reachedComponents(
  document: ContractDocument,
  some: readonly OperationSlice[],
): ReadonlyMap<string, Normalised> {
  const { request, response } = normalisersOf(document);
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

/** The document of some slices; each operation stands at its {@link slicePath}. */
export function joinSlices(document: ContractDocument, some: readonly OperationSlice[]): object {
  const components = [...reachedComponents(document, some)];
  return {
    // A normalised schema is one of 3.1, whatever the contract's version.
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: Object.fromEntries(
      some.map(({ operation }, index) => [
        slicePath(index),
        { [SLICE_METHOD.toLowerCase()]: operation },
      ]),
    ),
    components: {
      schemas: Object.fromEntries(components.map(([name, { schema }]) => [name, schema])),
    },
  };
}

/** Messages of one kind are validated as a list. */
function listOf(schema: Schema): Schema {
  return { type: 'array', items: schema };
}

interface Normalisers {
  readonly request: Normaliser;
  readonly response: Normaliser;
}

/** One pair for each contract, so that what operations share is normalised once. */
const normalisers = new WeakMap<ContractDocument, Normalisers>();

function normalisersOf(document: ContractDocument): Normalisers {
  const known = normalisers.get(document);
  if (known !== undefined) return known;
  const created = {
    request: new Normaliser(document, 'request'),
    response: new Normaliser(document, 'response'),
  };
  normalisers.set(document, created);
  return created;
}

/**
 * The responses of a slice are numbered, each with one media type, so that none has to be found by its
 * `Content-Type`. The validator leaves statuses of 500 and above unchecked.
 */
const FIRST_STATUS = 100;
const UNCHECKED_STATUS = 500;

function numberResponses(
  document: ContractDocument,
  { operationId, responses }: Operation,
): OperationSlice['statuses'] {
  const statuses = new Map<ResponseObject, Map<string | undefined, number>>();
  let status = FIRST_STATUS;
  for (const declared of new Set(responses.values())) {
    const messages = responseMessages(document, declared);
    const byMediaType = messages.map((type) => [type, status++] as const);
    statuses.set(declared, new Map(byMediaType));
  }
  if (status > UNCHECKED_STATUS) {
    const most = UNCHECKED_STATUS - FIRST_STATUS;
    throw new ContractError([`${operationId}: has more than ${most} responses and media types`]);
  }
  return statuses;
}

/** The media type of every response value, whatever the body in it is. */
const JSON_MEDIA_TYPE = 'application/json';

/**
 * Under which media type the request value with a body of this media type, or of none, stands in a
 * slice. The validator checks only what it takes for JSON; so each declared media type has a JSON
 * media type of its own. Undefined where there is but one: it needs no telling apart, which takes long.
 */
export function sliceMediaType(
  mediaTypes: readonly (string | undefined)[],
  mediaType: string | undefined,
): string | undefined {
  if (mediaTypes.length === 1) return undefined;
  if (mediaType === undefined) return 'application/none+json';
  if (mediaType === 'application/json') return mediaType;
  return `application/x-${Buffer.from(mediaType).toString('hex')}+json`;
}
