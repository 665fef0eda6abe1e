import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Response } from 'supertest';
import { parse } from 'yaml';
import { CONTRACT_PATH } from './app.js';

interface DeclaredResponse {
  headers?: Record<string, { $ref?: string; required?: boolean; schema?: object }>;
  content?: Record<string, { schema: object }>;
}

const contract = parse(readFileSync(CONTRACT_PATH, 'utf8')) as {
  paths: {
    '/plants': { post: { responses: Record<string, DeclaredResponse | { $ref: string }> } };
  };
  'x-unmatched-responses': Record<string, { $ref: string }>;
  components: { responses: Record<string, DeclaredResponse>; headers: Record<string, object> };
};

/** A validator that shares nothing with the one in production but the contract. */
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(contract, 'contract');

const SETS = {
  createPlant: contract.paths['/plants'].post.responses,
  unmatched: contract['x-unmatched-responses'],
};

/**
 * Says what is wrong with a response by the contract: an undeclared status, media type or body, a
 * missing or wrong header. Empty where nothing is.
 */
export function violations(
  response: Pick<Response, 'status' | 'headers' | 'text'>,
  set: keyof typeof SETS = 'createPlant',
): string[] {
  const reference: DeclaredResponse | { $ref: string } | undefined =
    SETS[set][String(response.status)];
  if (reference === undefined) return [`status ${response.status} is not declared`];
  const declared = deref(reference);
  const problems: string[] = [];

  for (const [name, unresolved] of Object.entries(declared.headers ?? {})) {
    const header = deref<{ required?: boolean; schema?: { type?: string } }>(unresolved);
    const text = response.headers[name.toLowerCase()];
    if (text === undefined && header.required === true) problems.push(`header ${name} is missing`);
    if (text === undefined || header.schema === undefined) continue;
    const value = header.schema.type === 'integer' ? Number(text) : text;
    if (!ajv.validate(header.schema, value)) problems.push(`header ${name}: ${ajv.errorsText()}`);
  }

  const contentType = response.headers['content-type'];
  const schema = declared.content?.[contentType ?? '']?.schema;
  if (declared.content === undefined) {
    if (response.text !== '') problems.push('a body, where none is declared');
  } else if (schema === undefined) {
    problems.push(`content type ${contentType} is not declared`);
  } else if (!ajv.validate(absolute(schema), JSON.parse(response.text))) {
    problems.push(`body: ${ajv.errorsText()}`);
  }
  return problems;
}

/** What a reference in the contract points at, or the object itself. */
function deref<Target extends object>(value: Target | { $ref: string }): Target {
  if (!('$ref' in value)) return value;
  let target: unknown = contract;
  for (const step of value.$ref.slice(2).split('/')) {
    target = (target as Record<string, unknown>)[step];
  }
  return target as Target;
}

/** The schema with its references made into ones that the validator resolves. */
function absolute(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"contract#/')) as object;
}
