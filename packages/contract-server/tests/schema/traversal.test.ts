import { describe, expect, it } from '@jest/globals';
import { ContractDocument } from '../../src/document/document.js';
import { isHidden } from '../../src/schema/direction.js';
import { appliedSchemas, conjunctsOf } from '../../src/schema/traversal.js';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function documentWith(schemas: Readonly<Record<string, object>>, openapi = '3.1.0') {
  return new ContractDocument({ openapi, info: {}, components: { schemas } });
}

describe('the schemas that a value must satisfy', () => {
  it('are the schema, what it refers to, and its allOf, each once', () => {
    const document = documentWith({
      Named: { title: 'Named', allOf: [ref('Tagged')] },
      Tagged: { title: 'Tagged' },
    });
    const schema = { title: 'own', ...ref('Named'), allOf: [ref('Tagged'), { title: 'inline' }] };

    expect(conjunctsOf(document, schema).map(({ title }) => title)).toEqual([
      'own',
      'Named',
      'Tagged',
      'inline',
    ]);
  });

  it('are each found once where schemas refer to each other in a circle', () => {
    const document = documentWith({
      One: { title: 'One', allOf: [ref('Other')] },
      Other: { title: 'Other', allOf: [ref('One')] },
    });

    expect(conjunctsOf(document, ref('One')).map(({ title }) => title)).toEqual(['One', 'Other']);
  });

  it('are not what stands beside a reference of OpenAPI 3.0', () => {
    const schemas = { Named: { title: 'Named' } };
    const schema = { title: 'own', ...ref('Named'), allOf: [{ title: 'inline' }] };

    const found = conjunctsOf(documentWith(schemas, '3.0.3'), schema);

    expect(found.map(({ title }) => title)).toEqual(['Named']);
  });

  it('have none that any value satisfies for false', () => {
    expect(conjunctsOf(documentWith({}), { allOf: [false, true] })).toContainEqual({ type: [] });
  });

  it('leave branches out, which are among those that may judge it', () => {
    const schema = {
      oneOf: [{ title: 'branch' }],
      if: { title: 'if' },
      then: { title: 'then' },
      dependentSchemas: { a: { title: 'dependent' } },
      properties: { a: { title: 'member' } },
    };

    expect(conjunctsOf(documentWith({}), schema)).toEqual([schema]);
    expect(appliedSchemas(documentWith({}), schema).map(({ title }) => title)).toEqual([
      undefined,
      'branch',
      'then',
      'dependent',
    ]);
  });
});

describe('a member that is readOnly behind a reference', () => {
  it('is hidden from requests alone', () => {
    const document = documentWith({ Id: { allOf: [{ readOnly: true }] } });

    expect(isHidden(document, ref('Id'), 'request')).toBe(true);
    expect(isHidden(document, ref('Id'), 'response')).toBe(false);
  });
});
