import { beforeAll, describe, expect, it } from '@jest/globals';
import { parseJson } from '../../src/json/json.js';
import { exactRows as rows } from '../support/exact-rows.js';
import { judgeOf, type Judge } from '../support/judge.js';

interface Composition {
  readonly wrap: (schema: object, name: string) => object;
  readonly textOf?: (text: string) => string;
}

/** Where a schema stands: each gives the same verdict as the schema alone. */
const compositions: Readonly<Record<string, Composition>> = {
  'by itself': { wrap: (schema) => schema },
  'behind $ref': { wrap: (_schema, name) => ({ $ref: `#/components/schemas/${name}` }) },
  'in allOf': { wrap: (schema) => ({ allOf: [{}, schema] }) },
  'in anyOf': { wrap: (schema) => ({ anyOf: [{ type: 'boolean' }, schema] }) },
  'in oneOf': { wrap: (schema) => ({ oneOf: [{ not: schema, type: 'boolean' }, schema] }) },
  'in not': { wrap: (schema) => ({ not: { not: schema } }) },
  'in if': { wrap: (schema) => ({ if: schema, then: true, else: false }) },
  'in items': {
    wrap: (schema) => ({ type: 'array', items: schema }),
    textOf: (text) => `[${text},${text}]`,
  },
  'in contains': {
    wrap: (schema) => ({ type: 'array', contains: schema }),
    textOf: (text) => `[true,${text}]`,
  },
  'in prefixItems': {
    wrap: (schema) => ({ type: 'array', prefixItems: [{}, schema] }),
    textOf: (text) => `[9007199254740993,${text}]`,
  },
  'in additionalProperties': {
    wrap: (schema) => ({ type: 'object', additionalProperties: schema }),
    textOf: (text) => `{"a/b~":${text}}`,
  },
};

describe('OpenAPI 3.1.0 §4.4: bounds, constants, multiples and unique items beyond 2^53', () => {
  const names = Object.keys(rows);
  const schemas = Object.fromEntries(names.map((name, at) => [`S${at}`, rows[name]?.schema]));

  describe.each(Object.entries(compositions))('%s', (_where, { wrap, textOf }) => {
    let judge: Judge;
    beforeAll(async () => {
      const properties = names.map(
        (name, at) => [`s${at}`, wrap(rows[name]?.schema ?? {}, `S${at}`)] as const,
      );
      judge = await judgeOf(
        '3.1.0',
        { type: 'object', properties: Object.fromEntries(properties) },
        schemas,
      );
    });

    it.each(Object.entries(rows))('%s', async (name, { right, wrong }) => {
      const body = (text: string): unknown =>
        parseJson(`{"s${names.indexOf(name)}":${textOf?.(text) ?? text}}`);
      const verdicts = async (texts: readonly string[]) => ({
        sent: await Promise.all(texts.map((text) => judge.sent(body(text)))),
        answered: await inTurn(texts, (text) => judge.answered(body(text))),
      });

      expect(await verdicts(right)).toEqual({
        sent: right.map(() => 204),
        answered: right.map(() => 200),
      });
      expect(await verdicts(wrong)).toEqual({
        sent: wrong.map(() => 400),
        answered: wrong.map(() => 500),
      });
    });
  });
});

async function inTurn<From, To>(
  all: readonly From[],
  map: (one: From) => Promise<To>,
): Promise<To[]> {
  const mapped: To[] = [];
  for (const one of all) mapped.push(await map(one));
  return mapped;
}
