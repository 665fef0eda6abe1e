import type { ContractDocument, ResponseObject, Schema } from '../document/document.js';
import { ContractError } from '../contract-error.js';
import {
  requestSchema,
  responseSchema,
  type NormaliseSchema,
} from '../operation/message-schema.js';
import { Normaliser, type Finding } from './normalise/normaliser.js';
import type { Operation } from '../operation/operation.js';

/** Where a slice's operation stands in their document: our router has already matched the real path. */
export const slicePath = (index: number): string => `/${index}`;
export const SLICE_METHOD = 'POST';

/** One operation as the validator gets it. */
export interface OperationSlice {
  /** Its Operation Object: envelopes in, envelopes out. */
  readonly operation: object;
  /** The components that it reaches; those of the same name are the same for all of a contract. */
  readonly schemas: ReadonlyMap<string, unknown>;
  /** Those that a request's body may have; undefined stands for no body. */
  readonly mediaTypes: readonly (string | undefined)[];
  /** Under which status each response stands, by the media type of its body. */
  readonly statuses: ReadonlyMap<ResponseObject, ReadonlyMap<string | undefined, number>>;
  /** What it gives up of the contract. */
  readonly findings: readonly Finding[];
}

/**
 * Writes an operation as the validator takes it: its requests and responses as envelopes, the
 * components they reach, and nothing else. What the validator reads wrongly is written so that it
 * reads it right; see {@link Normaliser}, {@link FIRST_STATUS} and {@link sliceMediaType}.
 * @throws ContractError where a reference leads nowhere, or a schema isn't one
 */
export function sliceOperation(document: ContractDocument, operation: Operation): OperationSlice {
  const { request, response } = normalisersOf(document);
  const requestPart = new SlicePart(request);
  const responsePart = new SlicePart(response);
  const mediaTypes = requestVariants(operation);
  const content: Record<string, { schema: Schema }> = {};
  for (const mediaType of mediaTypes) {
    const schema = requestSchema(operation, mediaType, requestPart.normalise);
    content[sliceMediaType(mediaTypes, mediaType) ?? '*/*'] = { schema: listOf(schema) };
  }
  const requestBody = { required: true, content };
  const statuses = numberResponses(operation);
  const responses: Record<string, object> = {};
  for (const [declared, byMediaType] of statuses) {
    for (const [mediaType, status] of byMediaType) {
      const schema = responseSchema(document, declared, mediaType, responsePart.normalise);
      responses[status] = { description: '', content: { [ENVELOPE]: { schema: listOf(schema) } } };
    }
  }
  return {
    operation: { requestBody, responses },
    schemas: new Map([...requestPart.components, ...responsePart.components]),
    mediaTypes,
    statuses,
    findings: [...requestPart.findings, ...responsePart.findings],
  };
}

/** The document of some slices; each operation stands at its {@link slicePath}. */
export function joinSlices(slices: readonly OperationSlice[]): object {
  return {
    // Whatever the contract's own version: a normalised schema is one of 3.1.
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: Object.fromEntries(
      slices.map(({ operation }, index) => [
        slicePath(index),
        { [SLICE_METHOD.toLowerCase()]: operation },
      ]),
    ),
    components: { schemas: Object.fromEntries(slices.flatMap(({ schemas }) => [...schemas])) },
  };
}

/** Exchanges of one kind are judged together. */
function listOf(schema: Schema): Schema {
  return { type: 'array', items: schema };
}

function requestVariants({ requestBody }: Operation): (string | undefined)[] {
  const mediaTypes = [...(requestBody?.content.keys() ?? [])];
  // A body that is required and not there is refused before anyone asks the validator.
  return requestBody?.required === true ? mediaTypes : [undefined, ...mediaTypes];
}

function responseVariants({ content = {} }: ResponseObject): (string | undefined)[] {
  const mediaTypes = Object.keys(content);
  // OpenAPI 3.1 §4.8.17: a response that declares content has one of these media types.
  return mediaTypes.length > 0 ? mediaTypes : [undefined];
}

/** The requests or the responses of a slice in the making: collects what their schemas reach. */
class SlicePart {
  readonly findings = new Set<Finding>();
  readonly components = new Map<string, unknown>();

  constructor(readonly normaliser: Normaliser) {}

  readonly normalise: NormaliseSchema = (schema, isRequired) => {
    const { uses, findings, schema: normalised } = this.normaliser.normalise(schema, isRequired);
    findings.forEach((finding) => this.findings.add(finding));
    const queue = [...uses];
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      const component = this.normaliser.components.get(name);
      if (component === undefined || this.components.has(name)) continue;
      this.components.set(name, component.schema);
      component.findings.forEach((finding) => this.findings.add(finding));
      queue.push(...component.uses);
    }
    return normalised as Schema; // of a schema comes a schema
  };
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

function numberResponses({ operationId, responses }: Operation): OperationSlice['statuses'] {
  const statuses = new Map<ResponseObject, Map<string | undefined, number>>();
  let status = FIRST_STATUS;
  for (const declared of new Set(responses.values())) {
    const byMediaType = responseVariants(declared).map((type) => [type, status++] as const);
    statuses.set(declared, new Map(byMediaType));
  }
  if (status > UNCHECKED_STATUS) {
    const most = UNCHECKED_STATUS - FIRST_STATUS;
    throw new ContractError([`${operationId}: has more than ${most} responses and media types`]);
  }
  return statuses;
}

/** An envelope is a JSON value, whatever the body in it is. */
const ENVELOPE = 'application/json';

/**
 * Under which media type the envelope of a request body of this media type, or of none, stands in a
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
