import { brokenForms } from './broken-forms.js';
import { duplicates, malformedTexts } from './broken-json.js';
import { breakages } from './broken-values.js';
import type { Way } from './case.js';
import { writeRequest, type Draft } from './draft.js';
import type { Json } from './json.js';
import { encode } from '../parameter-text.js';
import type { TestRequest } from './request.js';
import type { Schemas } from './schemas.js';

/** Queries that are one parameter (OpenAPI 3.2.0 §4.12.1): missing, malformed, or not what its schema says. */
export function brokenQuerystrings(schemas: Schemas, draft: Draft): Way[] {
  const { operation, querystring } = draft;
  if (operation.querystring === undefined || querystring === undefined) return [];
  const { kind, schema } = querystring.declared;
  const ways: Way[] = [];
  const add = (broken: string, make: () => TestRequest | undefined): void => {
    ways.push({
      broken: `querystring${broken}`,
      make() {
        const request = make();
        return request && { request, statuses: [400], operation };
      },
    });
  };
  const text = (query: string | Buffer): TestRequest => {
    const { target, ...request } = writeRequest({ ...draft, querystring: undefined });
    return { ...request, target: `${target}?${String(query)}` };
  };
  const value = (other: Json): TestRequest =>
    writeRequest({ ...draft, querystring: { ...querystring, value: other } });
  if (operation.querystring.required) {
    add(': required', () => writeRequest({ ...draft, querystring: undefined }));
  }
  if (kind === 'form') {
    const place = { name: 'querystring' as const, text, value };
    return [...ways, ...brokenForms(schemas, operation, querystring, place)];
  }
  for (const malformed of ['%', '%zz', '%c3%28', '%ff'])
    add(': percent-encoding', () => text(malformed));
  if (kind === 'json') {
    for (const malformed of malformedTexts(querystring))
      add(': JSON', () => text(encode(malformed)));
    for (const doubled of duplicates(querystring))
      add(': member twice', () => text(encode(doubled)));
  }
  for (const { what, value: wrong } of breakages(schemas, schema, querystring.value)) {
    add(` ${what}`, () => {
      const isText = typeof wrong === 'string' && wrong !== '';
      if ((kind !== 'json' && !isText) || schemas.accepts(schema, wrong)) return undefined;
      return value(wrong);
    });
  }
  return ways;
}
