import { describe, expect, it } from '@jest/globals';
import { diffContracts } from '../../../src/commands/diff/diff-contracts.js';
import { report } from '../../../src/commands/diff/report.js';
import { parseContract } from '../../../src/index.js';
import { answer, body, json, string } from './contracts.js';
import { contractOf } from './row.js';

const COMPARED = { oldName: 'before', oldVersion: '1.0.0', newVersion: '1.1.0' };

/** A line for each change, without the summary. */
async function linesOf(old: object, now: object): Promise<string[]> {
  const [before, after] = await Promise.all(
    // As if read from files: there, no two places have the same object.
    [old, now].map((contract) => parseContract(JSON.parse(JSON.stringify(contract)))),
  );
  if (before === undefined || after === undefined) return [];
  return report(diffContracts(before, after), COMPARED).split('\n').slice(0, -1);
}

const thingRef = { $ref: '#/components/schemas/Thing' };
const things = (name: unknown, rest: object = {}) => ({
  Thing: { type: 'object', properties: { name, ...rest } },
});
const takes = (operationId: string, schema: object = thingRef) => ({
  operationId,
  requestBody: body(true, json(schema)),
  responses: { '204': { description: 'Done.' } },
});
const gives = (operationId: string, schema: object = thingRef) => ({
  operationId,
  responses: { '200': answer(json(schema)) },
});
const paths = {
  '/a': { get: gives('getA'), put: takes('putA'), post: takes('postA') },
  '/b': { get: gives('getB'), put: takes('putB'), post: takes('postB') },
};
const shared = (schemas: object) => contractOf(paths, { components: { schemas } });
const short = { type: 'string', maxLength: 3 };

describe('the report of what has changed', () => {
  it('has one line for a change of a component, with the operations that it reaches and both verdicts', async () => {
    const lines = await linesOf(shared(things(string)), shared(things(short)));

    expect(lines).toEqual([
      'breaks      /components/schemas/Thing/properties/name  maxLength 3 added: ' +
        'breaks in requests of 4 operations (putA, postA, putB, …): requests that were valid are refused; ' +
        'compatible in responses of 2 operations (getA, getB): clients get nothing that they were not told of',
    ]);
  });

  it('leaves a verdict out of the line where it is the only one', async () => {
    const contract = (schema: object) =>
      contractOf({ '/a': { put: takes('putA') } }, { components: { schemas: things(schema) } });

    const lines = await linesOf(contract(string), contract(short));

    expect(lines).toEqual([
      'breaks      /components/schemas/Thing/properties/name  maxLength 3 added: ' +
        'in requests of 1 operation (putA): requests that were valid are refused',
    ]);
  });

  it('has a line for each operation whose own schemas have changed', async () => {
    const contract = (schema: object) =>
      contractOf({ '/a': { put: takes('putA', schema) }, '/b': { put: takes('putB', schema) } });

    const lines = await linesOf(contract(string), contract(short));

    expect(lines).toEqual([
      'breaks      PUT /a  request body: maxLength 3 added: requests that were valid are refused',
      'breaks      PUT /b  request body: maxLength 3 added: requests that were valid are refused',
    ]);
  });

  it('puts a reference to another component down to the place of the reference', async () => {
    const contract = (name: string) => ({
      ...things({ $ref: `#/components/schemas/${name}` }),
      Long: { type: 'object', properties: { a: string } },
      Short: { type: 'object', properties: { a: short } },
    });

    const lines = await linesOf(shared(contract('Long')), shared(contract('Short')));

    expect(lines).toEqual([
      expect.stringMatching(
        /^breaks {6}\/components\/schemas\/Thing\/properties\/name\/properties\/a {2}maxLength 3 added: /,
      ),
    ]);
  });

  it('puts what a component has from another one down to that other one', async () => {
    const contract = (schema: object) => ({
      Thing: { allOf: [{ $ref: '#/components/schemas/Base' }, { required: ['name'] }] },
      Base: things(schema).Thing,
    });

    const lines = await linesOf(shared(contract(string)), shared(contract(short)));

    expect(lines).toEqual([
      expect.stringMatching(/^breaks {6}\/components\/schemas\/Base\/properties\/name /),
    ]);
  });

  it('says of readOnly which messages it is about', async () => {
    const lines = await linesOf(
      shared(things(string)),
      shared(things({ type: 'string', readOnly: true })),
    );

    expect(lines).toEqual([
      'breaks      /components/schemas/Thing/properties/name  property made readOnly: ' +
        'in requests of 4 operations (putA, postA, putB, …): what clients send there is passed over or refused',
    ]);
  });

  it('has one line for a scheme or a requirement of the whole contract', async () => {
    const contract = (tokenUrl: string, security: object[]) => {
      const flows = { clientCredentials: { tokenUrl, scopes: {} } };
      const securitySchemes = { oauth: { type: 'oauth2', flows } };
      return contractOf(paths, {
        security,
        components: { securitySchemes, schemas: things(string) },
      });
    };

    const lines = await linesOf(
      contract('https://id.example/a', [{ oauth: [] }]),
      contract('https://id.example/b', [{ oauth: [] }, {}]),
    );

    expect(lines).toEqual([
      'breaks      /components/securitySchemes/oauth  flow clientCredentials: tokenUrl https://id.example/a -> https://id.example/b: ' +
        'for 6 operations (getA, putA, postA, …): clients look for it where it was',
      'compatible  /security  no credentials suffices: for 6 operations (getA, putA, postA, …): it is one more way to call it',
    ]);
  });

  it('ends where every schema reaches every other, and tells a change in them once', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `S${index}`);
    const schemas = (leaf: object) => ({
      ...things({ $ref: '#/components/schemas/S0' }),
      ...Object.fromEntries(
        names.map((name) => [
          name,
          {
            type: 'object',
            properties: {
              leaf: name === 'S7' ? leaf : string,
              ...Object.fromEntries(
                names.map((other) => [
                  other,
                  { anyOf: [{ type: 'string' }, { $ref: `#/components/schemas/${other}` }] },
                ]),
              ),
            },
          },
        ]),
      ),
    });

    const lines = await linesOf(shared(schemas(string)), shared(schemas(short)));

    expect(lines).toEqual([
      expect.stringMatching(
        /^breaks {6}\/components\/schemas\/S7\/properties\/leaf {2}maxLength 3 added: breaks in requests of 4 /,
      ),
    ]);
  });

  it('ends where two components that refer to themselves take the place of each other', async () => {
    const tree = (leaf: object, name: string) => ({
      type: 'object',
      properties: { leaf, next: { $ref: `#/components/schemas/${name}` } },
    });
    const contract = (name: string) => ({
      ...things({ $ref: `#/components/schemas/${name}` }),
      Oak: tree(string, 'Oak'),
      Elm: tree(short, 'Elm'),
    });

    const lines = await linesOf(shared(contract('Oak')), shared(contract('Elm')));

    expect(lines).toEqual([
      expect.stringMatching(
        /^breaks {6}\/components\/schemas\/Thing\/properties\/name\/properties\/leaf {2}maxLength 3 added: /,
      ),
    ]);
  });
});
