import type { Case } from './cases.js';
import type { Contract, DeclaredResponse, Schema } from './contract.js';
import { bodyKindOf } from './draft.js';
import { readJson, type Json } from './json.js';
import type { TestResponse } from './request.js';
import { Schemas } from './schemas.js';

/** What was sent and what came back. */
export interface Exchange {
  readonly sent: Pick<Case, 'request' | 'operation'>;
  readonly response: TestResponse;
}

/** Says what in an answer isn't as the contract declares it; empty where all is. */
export type Judge = (exchange: Exchange) => string[];

/**
 * Judges answers by the contract, with a validator that isn't the one in production. It is the only
 * place of the generative tests that does; a judge of one's own can stand in for it.
 */
export function createJudge(contract: Contract): Judge {
  const schemas = new Schemas(contract.root, 'response');
  return ({ sent: { request, operation }, response }) => {
    const responses = operation?.responses ?? contract.unmatched;
    if (responses === undefined) return [];
    const declared = declaredFor(responses, response.status);
    if (declared === undefined) return [`status ${response.status} is not declared`];
    return [
      ...headerProblems(schemas, declared, response),
      ...bodyProblems(schemas, declared, response, request.method === 'HEAD'),
    ];
  };
}

function declaredFor(
  responses: ReadonlyMap<string, DeclaredResponse>,
  status: number,
): DeclaredResponse | undefined {
  const range = `${Math.floor(status / 100)}XX`;
  return responses.get(String(status)) ?? responses.get(range) ?? responses.get('default');
}

function headerProblems(
  schemas: Schemas,
  declared: DeclaredResponse,
  { headers }: TestResponse,
): string[] {
  return declared.headers.flatMap(({ name, required, schema }) => {
    const text = headers[name.toLowerCase()];
    if (text === undefined) return required ? [`header ${name} is missing`] : [];
    const problem = schemas.problemOf(schema, headerValue(schemas, schema, text));
    return problem === undefined ? [] : [`header ${name}: ${problem}`];
  });
}

function headerValue(schemas: Schemas, schema: Schema, text: string): Json {
  const types = schemas.alternatives(schema).map(({ type }) => type);
  if (types.includes('string')) return text;
  if (/^-?\d+$/.test(text)) return BigInt(text);
  if (/^-?\d+\.\d+$/.test(text)) return Number(text);
  return text === 'true' || text === 'false' ? text === 'true' : text;
}

function bodyProblems(
  schemas: Schemas,
  declared: DeclaredResponse,
  { headers, text }: TestResponse,
  isHead: boolean,
): string[] {
  if (isHead || declared.content.size === 0) {
    return text === '' ? [] : ['there is a body, where none may be'];
  }
  const contentType = headers['content-type'] ?? '';
  const mediaType = (contentType.split(';')[0] ?? '').trim().toLowerCase();
  const schema = declared.content.get(mediaType) ?? declared.content.get('*/*');
  if (schema === undefined) return [`content type ${contentType} is not declared`];
  const kind = bodyKindOf(mediaType);
  if (kind === 'bytes') return [];
  let value: Json;
  try {
    value = kind === 'json' ? readJson(text) : text;
  } catch (error) {
    return [`the body is not JSON: ${String(error)}`];
  }
  const problem = schemas.problemOf(schema, value);
  return problem === undefined ? [] : [`body: ${problem}`];
}
