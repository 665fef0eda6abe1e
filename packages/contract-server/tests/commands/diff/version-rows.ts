import { answer, body, json, ok, streamed } from './contracts.js';
import { contractOf, type Row } from './row.js';

const because = 'it is what the other version has for it';

/** A contract of some version, with one operation that takes and gives this. */
const told = (openapi: string, schema: object, mediaType = 'application/json') => {
  const content = mediaType === 'application/json' ? json(schema) : { [mediaType]: schema };
  const post = {
    operationId: 'a',
    requestBody: body(true, content),
    responses: { '200': answer(content) },
  };
  return contractOf({ '/a': { post } }, { openapi });
};

// prettier-ignore
const equivalents: readonly (readonly [name: string, old: object, now: object])[] = [
  ['nullable', told('3.0.3', { type: 'string', nullable: true }), told('3.1.0', { type: ['string', 'null'] })],
  ['nullable reference', told('3.0.3', { allOf: [{ type: 'string' }], nullable: true }), told('3.1.0', { type: 'string' })],
  ['exclusive bounds', told('3.0.3', { type: 'number', minimum: 0, exclusiveMinimum: true }), told('3.1.0', { type: 'number', exclusiveMinimum: 0 })],
  ['example', told('3.0.3', { type: 'string', example: 'a' }), told('3.1.0', { type: 'string', examples: ['a'] })],
  ['base64', told('3.0.3', { type: 'string', format: 'byte' }), told('3.1.0', { type: 'string', contentEncoding: 'base64' })],
  ['bytes', told('3.0.3', { schema: { type: 'string', format: 'binary' } }, 'image/png'), told('3.1.0', {}, 'image/png')],
  ['enum of one value', told('3.0.3', { type: 'string', enum: ['a'] }), told('3.1.0', { const: 'a' })],
  ['3.1 as 3.2', told('3.1.0', { type: ['string', 'null'] }), told('3.2.0', { type: ['string', 'null'] })],
  ['item of a stream', streamed({ type: 'string' }), contractOf({ '/things/{id}': { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }], post: { operationId: 'doThing', responses: { ...ok, '200': { summary: 'It.', content: { 'application/jsonl': { itemSchema: { type: 'string' } } } } } } } }, { openapi: '3.2.0' })],
  ['response without description', told('3.1.0', {}), JSON.parse(JSON.stringify(told('3.2.0', {})).replace('"description":"It.",', '')) as object],
];

/** What one version of OpenAPI says in a way and another in another. */
export const versionRows: readonly Row[] = equivalents.map(([name, old, now]) => ({
  name: `${name}, of another version`,
  old,
  new: now,
  expected: 'none',
  because,
}));
