import { contractOf } from './row.js';

export const ok = { '204': { description: 'Done.' } };
export const string = { type: 'string' };
export const list = { type: 'array', items: string };
export const thing = { type: 'object', properties: { a: string } };
/** Objects with a member `f`: a list, an object, a file. */
export const listed = { type: 'object', properties: { f: list } };
export const nested = { type: 'object', properties: { f: thing } };
export const withFile = { type: 'object', properties: { f: { type: 'string', format: 'binary' } } };
export const json = (schema: object) => ({ 'application/json': { schema } });
export const answer = (content: object, rest: object = {}) => ({
  description: 'It.',
  content,
  ...rest,
});
export const body = (required: boolean, content: object = json(string)) => ({ required, content });
export const apiKey = { type: 'apiKey', in: 'header', name: 'X-Key' };
export const bearer = { type: 'http', scheme: 'bearer' };
const scopes = { read: 'R', write: 'W' };
export const clientCredentials = { tokenUrl: 'https://id.example/t', scopes };
export const authorizationCode = { ...clientCredentials, authorizationUrl: 'https://id.example/a' };
export const oauth = { type: 'oauth2', flows: { clientCredentials } };
export const schemes = { components: { securitySchemes: { key: apiKey, bearer, oauth } } };

/** A contract whose one operation, `POST /things/{id}`, has these members. */
export function operation(members: object, rest: object = {}): object {
  const parameters = [{ name: 'id', in: 'path', required: true, schema: string }];
  const post = { operationId: 'doThing', responses: ok, ...members };
  return contractOf({ '/things/{id}': { parameters, post } }, rest);
}

export const query = (parameter: object) =>
  operation({ parameters: [{ name: 'q', in: 'query', schema: string, ...parameter }] });
export const responses = (members: object) => operation({ responses: { ...ok, ...members } });
export const header = (headers: object) => responses({ '200': answer(json(string), { headers }) });
export const secured = (...security: object[]) => operation({ security }, schemes);
export const get = (operationId: string) => ({ operationId, responses: ok });
export const at = (pathTemplate: string, name: string, rest: object = {}) => {
  const parameters = [{ name, in: 'path', required: true, schema: string, ...rest }];
  return contractOf({ [pathTemplate]: { get: { ...get('a'), parameters } } });
};
export const form = (rest: object, mediaType = 'multipart/form-data') =>
  operation({ requestBody: body(true, { [mediaType]: { schema: withFile, ...rest } }) });
export const streamed = (itemSchema: object) =>
  responses({ '200': answer({ 'application/jsonl': { 'x-item-schema': itemSchema } }) });
export const served = (...servers: object[]) => operation({}, { servers });

export const q = { name: 'q', in: 'query', schema: string };
export const r = { name: 'r', in: 'query', schema: string };
export const wholeQuery = (name: string) => {
  const content = { 'application/x-www-form-urlencoded': { schema: thing } };
  const parameters = [{ name, in: 'querystring', content }];
  return { ...operation({ parameters }), openapi: '3.2.0' };
};
/** It answers with events. */
export const events = (parameters: object[]) => {
  const content = { 'text/event-stream': { 'x-item-schema': thing } };
  return operation({ parameters, responses: { '200': answer(content) } });
};
/** Two operations whose path has a parameter. */
export const inPath = (schema: object) =>
  contractOf({ '/a': { parameters: [{ ...q, schema }], get: get('a'), put: get('b') } });
export const byReference = (schema: object) =>
  operation(
    { parameters: [{ $ref: '#/components/parameters/Q' }] },
    { components: { parameters: { Q: { ...q, schema } } } },
  );
export const bodyByReference = (schema: object) =>
  operation(
    { requestBody: { $ref: '#/components/requestBodies/B' } },
    { components: { requestBodies: { B: body(true, json(schema)) } } },
  );
export const answerByReference = (schema: object) =>
  operation(
    { responses: { '200': { $ref: '#/components/responses/R' } } },
    { components: { responses: { R: answer(json(schema)) } } },
  );

/** The scheme `oauth` has these flows; the operation asks for the scope `read`. */
export const flows = (some: object) => {
  const securitySchemes = { oauth: { ...oauth, flows: some } };
  return operation({ security: [{ oauth: ['read'] }] }, { components: { securitySchemes } });
};
/** The operation asks for the scheme `s`. */
export const scheme = (s: object) =>
  operation({ security: [{ s: [] }] }, { components: { securitySchemes: { s } } });

const outbound = (sent: object, taken: object, rest: object) => ({
  post: {
    requestBody: body(true, json(sent)),
    responses: { '200': answer(json(taken)) },
    ...rest,
  },
});
/** What the service sends to its clients: a callback, a webhook. */
export const calledBack = (sent: object) =>
  operation({ callbacks: { done: { '{$request.body#/url}': outbound(sent, string, {}) } } });
export const hooked = (sent: object, taken: object = string, rest: object = {}) =>
  operation({}, { webhooks: { done: outbound(sent, taken, rest) } });
/** A webhook of a method that OpenAPI 3.2 has no name for. */
export const hookedBy = (method: string, sent: object) => {
  const additionalOperations = { [method]: outbound(sent, string, {}).post };
  return { ...operation({}, { webhooks: { done: { additionalOperations } } }), openapi: '3.2.0' };
};

/** One component that the request and the response share. */
export function shared(schema: object): object {
  const content = json({ $ref: '#/components/schemas/Shared' });
  return operation(
    { requestBody: body(true, content), responses: { '200': answer(content) } },
    { components: { schemas: { Shared: schema } } },
  );
}
