import type { ContractDocument, HeaderObject, ResponseObject, Schema } from './document.js';
import { isObject, isReference } from './document.js';
import type { Operation } from './operation.js';

/** The one path of every slice: our router has already matched the real one. */
export const SLICE_PATH = '/operation';

/**
 * A response as the validator sees it: its headers, their names in lower case, and its body in one
 * value, so that one verdict covers both.
 */
export interface ResponseEnvelope {
  headers: Record<string, unknown>;
  body?: unknown;
}

/**
 * The document that a validator of this one operation needs: the operation, the components it
 * reaches, and nothing else. What the validator reads wrongly is written so that it reads it right:
 * responses of 500 and above stand where it looks (see {@link sliceStatus}), and headers, which it
 * doesn't check, are part of an envelope that it does.
 */
export function sliceOperation(document: ContractDocument, operation: Operation): object {
  const { requestBody } = operation.object;
  const sliced = {
    ...(requestBody !== undefined && { requestBody }),
    responses: Object.fromEntries(
      [...operation.responses].map(([status, response]) => [
        sliceStatus(status),
        { description: '', content: envelopeContent(document, response) },
      ]),
    ),
  };
  return {
    openapi: document.root.openapi,
    info: { title: operation.operationId, version: '' },
    paths: { [SLICE_PATH]: { [operation.method.toLowerCase()]: sliced } },
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

/** The headers that a response declares, by name in lower case, references resolved. */
export function declaredHeaders(
  document: ContractDocument,
  response: ResponseObject,
): Map<string, HeaderObject> {
  const headers = new Map<string, HeaderObject>();
  for (const [name, header] of Object.entries(response.headers ?? {})) {
    // OpenAPI 3.1 §4.8.17: a header named Content-Type is ignored, `content` says it.
    if (name.toLowerCase() !== 'content-type')
      headers.set(name.toLowerCase(), document.resolve(header));
  }
  return headers;
}

function envelopeContent(document: ContractDocument, response: ResponseObject): object {
  const headers = declaredHeaders(document, response);
  const headersSchema = {
    type: 'object',
    required: [...headers].filter(([, header]) => header.required).map(([name]) => name),
    properties: Object.fromEntries([...headers].map(([name, { schema }]) => [name, schema ?? {}])),
  };
  if (headersSchema.required.length === 0) Reflect.deleteProperty(headersSchema, 'required');
  const envelope = (required: string[], body: Schema) => ({
    schema: { type: 'object', required, properties: { headers: headersSchema, body } },
  });
  const mediaTypes = Object.entries(response.content ?? {});
  if (mediaTypes.length === 0) return { 'application/json': envelope(['headers'], { not: {} }) };
  return Object.fromEntries(
    mediaTypes.map(([mediaType, { schema }]) => [
      mediaType,
      envelope(['headers', 'body'], schema ?? {}),
    ]),
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
