import { contractOf, type Row } from './row.js';

const ok = { '204': { description: 'Done.' } };
const string = { type: 'string' };
const json = (schema: object) => ({ 'application/json': { schema } });
const answer = (content: object, rest: object = {}) => ({ description: 'It.', content, ...rest });
const body = (required: boolean, content: object = json(string)) => ({ required, content });
const apiKey = { type: 'apiKey', in: 'header', name: 'X-Key' };
const bearer = { type: 'http', scheme: 'bearer' };
const oauth = {
  type: 'oauth2',
  flows: {
    clientCredentials: { tokenUrl: 'https://id.example/t', scopes: { read: 'R', write: 'W' } },
  },
};
const schemes = { components: { securitySchemes: { key: apiKey, bearer, oauth } } };

/** A contract whose one operation, `POST /things/{id}`, has these members. */
function operation(members: object, rest: object = {}): object {
  const parameters = [{ name: 'id', in: 'path', required: true, schema: string }];
  const post = { operationId: 'doThing', responses: ok, ...members };
  return contractOf({ '/things/{id}': { parameters, post } }, rest);
}

const query = (parameter: object) =>
  operation({ parameters: [{ name: 'q', in: 'query', schema: string, ...parameter }] });
const responses = (members: object) => operation({ responses: { ...ok, ...members } });
const header = (headers: object) => responses({ '200': answer(json(string), { headers }) });
const secured = (...security: object[]) => operation({ security }, schemes);
const get = (operationId: string) => ({ operationId, responses: ok });
const at = (pathTemplate: string, name: string) =>
  contractOf({
    [pathTemplate]: {
      get: { ...get('a'), parameters: [{ name, in: 'path', required: true, schema: string }] },
    },
  });
const fields = { type: 'object', properties: { f: { type: 'string', format: 'binary' } } };
const form = (rest: object) =>
  operation({ requestBody: body(true, { 'multipart/form-data': { schema: fields, ...rest } }) });
const served = (...servers: object[]) => operation({}, { servers });

// prettier-ignore
export const operationRows: readonly Row[] = [
  // paths and operations
  { name: 'path added', old: contractOf({ '/a': { get: get('a') } }), new: contractOf({ '/a': { get: get('a') }, '/b': { get: get('b') } }), expected: 'compatible', location: 'operation' },
  { name: 'path removed', old: contractOf({ '/a': { get: get('a') }, '/b': { get: get('b') } }), new: contractOf({ '/a': { get: get('a') } }), expected: 'breaks', location: 'operation' },
  { name: 'method added', old: contractOf({ '/a': { get: get('a') } }), new: contractOf({ '/a': { get: get('a'), put: get('b') } }), expected: 'compatible', location: 'operation' },
  { name: 'method removed', old: contractOf({ '/a': { get: get('a'), put: get('b') } }), new: contractOf({ '/a': { get: get('a') } }), expected: 'breaks', location: 'operation' },
  { name: 'path parameter renamed', old: at('/a/{x}', 'x'), new: at('/a/{y}', 'y'), expected: 'none' },
  { name: 'operationId renamed', old: contractOf({ '/a': { get: get('a') } }), new: contractOf({ '/a': { get: get('b') } }), expected: 'breaks', location: 'operationId' },
  { name: 'operation deprecated', old: operation({}), new: operation({ deprecated: true }), expected: 'compatible', location: 'operation' },
  { name: 'tags, summary and description only', old: operation({}), new: operation({ tags: ['t'], summary: 'S', description: 'D' }), expected: 'none' },
  { name: 'extension only', old: operation({}), new: operation({ 'x-cost': 1 }, { 'x-team': 't' }), expected: 'none' },
  { name: 'callbacks changed', old: operation({}), new: operation({ callbacks: { done: { '{$request.body#/url}': { post: { responses: ok } } } } }), expected: 'breaks', location: 'callbacks' },

  // parameters
  { name: 'optional parameter added', old: operation({}), new: query({}), expected: 'compatible', location: 'query parameter q' },
  { name: 'required parameter added', old: operation({}), new: query({ required: true }), expected: 'breaks', location: 'query parameter q' },
  { name: 'parameter removed', old: query({}), new: operation({}), expected: 'breaks', location: 'query parameter q' },
  { name: 'parameter made required', old: query({}), new: query({ required: true }), expected: 'breaks', location: 'query parameter q' },
  { name: 'parameter made optional', old: query({ required: true }), new: query({}), expected: 'compatible', location: 'query parameter q' },
  { name: 'parameter narrowed', old: query({}), new: query({ schema: { type: 'string', maxLength: 3 } }), expected: 'breaks', location: 'query parameter q' },
  { name: 'parameter widened', old: query({ schema: { type: 'string', maxLength: 3 } }), new: query({}), expected: 'compatible', location: 'query parameter q' },
  { name: 'parameter items narrowed', old: query({ schema: { type: 'array', items: string } }), new: query({ schema: { type: 'array', items: { enum: ['a'] } } }), expected: 'breaks', location: 'query parameter q /items' },
  { name: 'parameter style changed', old: query({ schema: { type: 'array' } }), new: query({ schema: { type: 'array' }, style: 'pipeDelimited' }), expected: 'breaks', location: 'query parameter q' },
  { name: 'parameter style said aloud', old: query({}), new: query({ style: 'form', explode: true }), expected: 'none' },
  { name: 'parameter explode changed', old: query({ schema: { type: 'array' } }), new: query({ schema: { type: 'array' }, explode: false }), expected: 'breaks', location: 'query parameter q' },
  { name: 'parameter default changed', old: query({ schema: { type: 'integer', default: 10 } }), new: query({ schema: { type: 'integer', default: 20 } }), expected: 'breaks', location: 'query parameter q' },
  { name: 'empty value no longer allowed', old: query({ allowEmptyValue: true }), new: query({}), expected: 'breaks', location: 'query parameter q' },
  { name: 'parameter moved to a header', old: query({}), new: query({ in: 'header' }), expected: 'breaks', location: 'query parameter q' },
  { name: 'header parameter in other letters', old: query({ in: 'header', name: 'X-Q' }), new: query({ in: 'header', name: 'x-q' }), expected: 'none' },
  { name: 'parameter described', old: query({}), new: query({ description: 'Q.', example: 'q' }), expected: 'none' },
  { name: 'parameter moved from the path to the operation', old: contractOf({ '/a': { parameters: [{ name: 'q', in: 'query', schema: string }], get: get('a') } }), new: contractOf({ '/a': { get: { ...get('a'), parameters: [{ name: 'q', in: 'query', schema: string }] } } }), expected: 'none' },

  // request body
  { name: 'optional request body added', old: operation({}), new: operation({ requestBody: body(false) }), expected: 'compatible', location: 'request body' },
  { name: 'required request body added', old: operation({}), new: operation({ requestBody: body(true) }), expected: 'breaks', location: 'request body' },
  { name: 'request body removed', old: operation({ requestBody: body(false) }), new: operation({}), expected: 'breaks', location: 'request body' },
  { name: 'request body made required', old: operation({ requestBody: body(false) }), new: operation({ requestBody: body(true) }), expected: 'breaks', location: 'request body' },
  { name: 'request body made optional', old: operation({ requestBody: body(true) }), new: operation({ requestBody: body(false) }), expected: 'compatible', location: 'request body' },
  { name: 'request media type added', old: operation({ requestBody: body(true) }), new: operation({ requestBody: body(true, { ...json(string), 'text/plain': { schema: string } }) }), expected: 'compatible', location: 'request body text/plain' },
  { name: 'request media type removed', old: operation({ requestBody: body(true, { ...json(string), 'text/plain': { schema: string } }) }), new: operation({ requestBody: body(true) }), expected: 'breaks', location: 'request body text/plain' },
  { name: 'request media type in other letters', old: operation({ requestBody: body(true) }), new: operation({ requestBody: body(true, { 'Application/JSON': { schema: string } }) }), expected: 'none' },
  { name: 'request body moved behind a reference', old: operation({ requestBody: body(true) }), new: operation({ requestBody: { $ref: '#/components/requestBodies/B' } }, { components: { requestBodies: { B: body(true) } } }), expected: 'none' },

  // forms
  { name: 'content type of a part added', old: form({ encoding: { f: { contentType: 'image/png' } } }), new: form({ encoding: { f: { contentType: 'image/png, image/jpeg' } } }), expected: 'compatible', location: 'request body multipart/form-data /f' },
  { name: 'content type of a part removed', old: form({ encoding: { f: { contentType: 'image/png, image/jpeg' } } }), new: form({ encoding: { f: { contentType: 'image/png' } } }), expected: 'breaks', location: 'request body multipart/form-data /f' },
  { name: 'content type of a part no longer said', old: form({ encoding: { f: { contentType: 'image/png' } } }), new: form({}), expected: 'compatible', location: 'request body multipart/form-data /f' },
  { name: 'content type of a part first said', old: form({}), new: form({ encoding: { f: { contentType: 'image/png' } } }), expected: 'breaks', location: 'request body multipart/form-data /f' },
  { name: 'content types of a part in another order', old: form({ encoding: { f: { contentType: 'image/png, image/jpeg' } } }), new: form({ encoding: { f: { contentType: 'IMAGE/jpeg,image/png' } } }), expected: 'none' },
  { name: 'field written in another style', old: form({}), new: form({ encoding: { f: { style: 'deepObject' } } }), expected: 'breaks', location: 'request body multipart/form-data /f' },
  { name: 'largest body raised', old: form({ 'x-max-body-bytes': 1000 }), new: form({ 'x-max-body-bytes': 2000 }), expected: 'compatible', location: 'request body multipart/form-data' },
  { name: 'largest body lowered', old: form({ 'x-max-body-bytes': 2000 }), new: form({ 'x-max-body-bytes': 1000 }), expected: 'breaks', location: 'request body multipart/form-data' },
  { name: 'file of a form made required', old: form({}), new: form({ schema: { ...fields, required: ['f'] } }), expected: 'breaks', location: 'request body multipart/form-data /properties/f' },

  // responses
  { name: 'error status added', old: responses({}), new: responses({ '404': answer(json(string)) }), expected: 'compatible', location: 'response 404' },
  { name: 'error status removed', old: responses({ '404': answer(json(string)) }), new: responses({}), expected: 'compatible', location: 'response 404' },
  { name: 'success status added', old: responses({}), new: responses({ '202': answer(json(string)) }), expected: 'breaks', location: 'response 202' },
  { name: 'one of two success statuses removed', old: responses({ '200': answer(json(string)) }), new: responses({}), expected: 'compatible', location: 'response 200' },
  { name: 'success status replaced', old: responses({}), new: operation({ responses: { '200': answer(json(string)) } }), expected: 'breaks', location: 'response 200' },
  { name: 'last success status removed', old: responses({ '404': answer(json(string)) }), new: operation({ responses: { '404': answer(json(string)) } }), expected: 'breaks', location: 'response 204' },
  { name: 'default response added', old: responses({}), new: responses({ default: answer(json(string)) }), expected: 'compatible', location: 'response default' },
  { name: 'default response removed', old: responses({ default: answer(json(string)) }), new: responses({}), expected: 'compatible', location: 'response default' },
  { name: 'status told apart from its range, the same', old: responses({ '4XX': answer(json(string)) }), new: responses({ '4XX': answer(json(string)), '404': answer(json(string)) }), expected: 'none' },
  { name: 'status told apart from the default, another body', old: responses({ default: answer(json(string)) }), new: responses({ default: answer(json(string)), '404': answer(json({ type: 'integer' })) }), expected: 'breaks', location: 'response 404' },
  { name: 'response media type added', old: responses({ '200': answer(json(string)) }), new: responses({ '200': answer({ ...json(string), 'text/plain': { schema: string } }) }), expected: 'compatible', location: 'response 200 text/plain' },
  { name: 'response media type removed', old: responses({ '200': answer({ ...json(string), 'text/plain': { schema: string } }) }), new: responses({ '200': answer(json(string)) }), expected: 'breaks', location: 'response 200 text/plain' },
  { name: 'response schema widened', old: responses({ '200': answer(json(string)) }), new: responses({ '200': answer(json({})) }), expected: 'breaks', location: 'response 200' },
  { name: 'response description only', old: responses({ '200': answer(json(string)) }), new: responses({ '200': answer(json(string), { description: 'Other.' }) }), expected: 'none' },

  // response headers
  { name: 'response header added', old: header({}), new: header({ 'X-A': { schema: string } }), expected: 'compatible', location: 'response 200 header x-a' },
  { name: 'response header removed', old: header({ 'X-A': { schema: string } }), new: header({}), expected: 'breaks', location: 'response 200 header x-a' },
  { name: 'response header made optional', old: header({ 'X-A': { required: true, schema: string } }), new: header({ 'X-A': { schema: string } }), expected: 'breaks', location: 'response 200 header x-a' },
  { name: 'response header made required', old: header({ 'X-A': { schema: string } }), new: header({ 'X-A': { required: true, schema: string } }), expected: 'compatible', location: 'response 200 header x-a' },
  { name: 'response header widened', old: header({ 'X-A': { schema: { enum: ['a'] } } }), new: header({ 'X-A': { schema: string } }), expected: 'breaks', location: 'response 200 header x-a' },
  { name: 'response header in other letters', old: header({ 'X-A': { schema: string } }), new: header({ 'x-a': { schema: string } }), expected: 'none' },

  // security
  { name: 'security added', old: secured(), new: secured({ bearer: [] }), expected: 'breaks', location: 'security' },
  { name: 'security removed', old: secured({ bearer: [] }), new: secured(), expected: 'compatible', location: 'security' },
  { name: 'security alternative added', old: secured({ bearer: [] }), new: secured({ bearer: [] }, { key: [] }), expected: 'compatible', location: 'security' },
  { name: 'security alternative removed', old: secured({ bearer: [] }, { key: [] }), new: secured({ bearer: [] }), expected: 'breaks', location: 'security' },
  { name: 'second scheme asked for at once', old: secured({ bearer: [] }), new: secured({ bearer: [], key: [] }), expected: 'breaks', location: 'security' },
  { name: 'security made optional', old: secured({ bearer: [] }), new: secured({ bearer: [] }, {}), expected: 'compatible', location: 'security' },
  { name: 'scope added', old: secured({ oauth: ['read'] }), new: secured({ oauth: ['read', 'write'] }), expected: 'breaks', location: 'security' },
  { name: 'scope removed', old: secured({ oauth: ['read', 'write'] }), new: secured({ oauth: ['read'] }), expected: 'compatible', location: 'security' },
  { name: 'security of the document said by the operation', old: operation({}, { ...schemes, security: [{ bearer: [] }] }), new: secured({ bearer: [] }), expected: 'none' },
  { name: 'security scheme renamed', old: secured({ bearer: [] }), new: operation({ security: [{ token: [] }] }, { components: { securitySchemes: { token: { ...bearer, description: 'T.' } } } }), expected: 'none' },
  { name: 'security scheme changed', old: secured({ key: [] }), new: operation({ security: [{ key: [] }] }, { components: { securitySchemes: { key: { ...apiKey, in: 'query' } } } }), expected: 'breaks', location: 'security' },

  // servers
  { name: 'server added', old: served({ url: 'https://a.example' }), new: served({ url: 'https://a.example' }, { url: 'https://b.example' }), expected: 'compatible', location: 'servers' },
  { name: 'server removed', old: served({ url: 'https://a.example' }, { url: 'https://b.example' }), new: served({ url: 'https://a.example' }), expected: 'breaks', location: 'servers' },
  { name: 'server described', old: served({ url: 'https://a.example' }), new: served({ url: 'https://a.example', description: 'A.' }), expected: 'none' },
  { name: 'server variable with another default', old: served({ url: 'https://{h}', variables: { h: { default: 'a' } } }), new: served({ url: 'https://{h}', variables: { h: { default: 'b' } } }), expected: 'breaks', location: 'servers' },

  // both sides at once
  { name: 'schema of request and response narrowed', old: shared({ type: 'number' }), new: shared({ type: 'integer' }), expected: 'breaks', location: 'request body' },
  { name: 'schema of request and response widened', old: shared({ type: 'integer' }), new: shared({ type: 'number' }), expected: 'breaks', location: 'response 200' },
  { name: 'title and description of the document only', old: operation({}), new: operation({}, { info: { title: 'other', version: '1.0.0', description: 'D' }, tags: [{ name: 't' }] }), expected: 'none' },
];

/** One component that the request and the response share. */
function shared(schema: object): object {
  const content = json({ $ref: '#/components/schemas/Shared' });
  return operation(
    { requestBody: body(true, content), responses: { '200': answer(content) } },
    { components: { schemas: { Shared: schema } } },
  );
}
