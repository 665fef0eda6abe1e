import { isObject, isReference, type ContractDocument, type Schema } from './document.js';
import { requestEnvelopeSchema, responseEnvelopeSchema } from './envelope.js';
import type { Operation } from './operation.js';

/** The one path of every slice: our router has already matched the real one. */
export const SLICE_PATH = '/operation';
export const SLICE_METHOD = 'POST';

/**
 * The document that a validator of this one operation needs: its requests and responses as
 * envelopes, the components they reach, and nothing else. What the validator reads wrongly is
 * written so that it reads it right; see {@link sliceStatus} and {@link sliceMediaType}.
 */
export function sliceOperation(document: ContractDocument, operation: Operation): object {
  const sliced = {
    requestBody: {
      required: true,
      content: variants(
        [undefined, ...(operation.requestBody?.content.keys() ?? [])],
        (mediaType) => requestEnvelopeSchema(operation, mediaType),
      ),
    },
    responses: Object.fromEntries(
      [...operation.responses].map(([status, response]) => [
        sliceStatus(status),
        {
          description: '',
          content: variants(
            response.content === undefined ? [undefined] : Object.keys(response.content),
            (mediaType) => responseEnvelopeSchema(document, response, mediaType),
          ),
        },
      ]),
    ),
  };
  return {
    openapi: document.root.openapi,
    info: { title: operation.operationId, version: '' },
    paths: { [SLICE_PATH]: { [SLICE_METHOD.toLowerCase()]: sliced } },
    components: reachableComponents(document, sliced),
  };
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

function reachableComponents(document: ContractDocument, root: unknown): object {
  const components: Record<string, Record<string, unknown>> = {};
  const queue: unknown[] = [root];
  while (queue.length > 0) {
    const value = queue.pop();
    if (Array.isArray(value)) queue.push(...(value as unknown[]));
    if (!isObject(value)) continue;
    queue.push(...Object.values(value));
    if (!isReference(value)) continue;
    const [, section = '', name = ''] = /^#\/components\/([^/]+)\/([^/]+)$/.exec(value.$ref) ?? [];
    const target = document.resolve<unknown>(value);
    if ((components[section] ??= {})[name] !== undefined) continue;
    components[section][name] = target;
    queue.push(target);
  }
  return components;
}
