import type { ContractDocument, ResponseObject, Schema } from '../document/document.js';
import { requestEnvelopeSchema, responseEnvelopeSchema, type NormaliseSchema } from './envelope.js';
import { Normaliser, type Finding } from '../normalise/normaliser.js';
import type { Operation } from '../operation.js';

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
  /** What it gives up of the contract. */
  readonly findings: readonly Finding[];
}

/**
 * Writes an operation as the validator takes it: its requests and responses as envelopes, the
 * components they reach, and nothing else. What the validator reads wrongly is written so that it
 * reads it right; see {@link Normaliser}, {@link sliceStatus} and {@link sliceMediaType}.
 * @throws ContractError where a reference leads nowhere, or a schema isn't one
 */
export function sliceOperation(document: ContractDocument, operation: Operation): OperationSlice {
  const { request, response } = normalisersOf(document);
  const requestPart = new SlicePart(request);
  const responsePart = new SlicePart(response);
  const mediaTypes = requestVariants(operation);
  const requestBody = {
    required: true,
    content: variants(mediaTypes, (mediaType) =>
      requestEnvelopeSchema(operation, mediaType, requestPart.normalise),
    ),
  };
  const responses = Object.fromEntries(
    [...operation.responses].map(([status, declared]) => [
      sliceStatus(status),
      {
        description: '',
        content: variants(responseVariants(declared), (mediaType) =>
          responseEnvelopeSchema(document, declared, mediaType, responsePart.normalise),
        ),
      },
    ]),
  );
  return {
    operation: { requestBody, responses },
    schemas: new Map([...requestPart.components, ...responsePart.components]),
    mediaTypes,
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
 * Where the response of a status stands in a slice. The validator leaves responses of 500 and above
 * unchecked, so these stand at 100 and above, which no final response has (RFC 9110 §15.2).
 */
export function sliceStatus(status: string): string {
  return status.startsWith('5') ? `1${status.slice(1)}` : status;
}

/**
 * Under which media type the envelope of a body of this media type, or of none, stands in a slice.
 * An envelope is a JSON value whatever the body is, and the validator checks only what it takes for
 * JSON; so each declared media type has a JSON media type of its own.
 */
export function sliceMediaType(mediaType: string | undefined): string {
  if (mediaType === undefined) return 'application/none+json';
  if (mediaType === 'application/json') return mediaType;
  return `application/x-${Buffer.from(mediaType).toString('hex')}+json`;
}

function variants(
  mediaTypes: readonly (string | undefined)[],
  schemaOf: (mediaType: string | undefined) => Schema,
): Record<string, { schema: Schema }> {
  return Object.fromEntries(
    mediaTypes.map((mediaType) => [sliceMediaType(mediaType), { schema: schemaOf(mediaType) }]),
  );
}
