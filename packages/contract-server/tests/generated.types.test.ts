import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { contractTypes } from '../src/commands/generate/contract-types.js';
import { createCompiler } from 'contract-testing/compile';

const FILE = 'src/generated-handler.ts';
const TYPES = 'src/generated-types.ts';
const { compile } = createCompiler(fileURLToPath(new URL('..', import.meta.url)));

const CONTRACT = `
openapi: 3.1.0
info: { title: a fixture, version: '1' }
security: [{ card: [] }]
paths:
  /loans:
    post:
      operationId: createLoan
      security: []
      parameters:
        - { name: dry, in: query, schema: { type: boolean, default: false } }
        - { name: X-Trace, in: header, schema: { type: string } }
      requestBody: { $ref: '#/components/requestBodies/Loan' }
      responses:
        '201':
          description: ''
          headers: { Location: { required: true, schema: { type: string } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Loan' } } }
        '204': { description: '' }
        '404': { description: '', content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } } }
    get:
      operationId: listLoans
      security: [{}, { card: [] }, { key: [] }]
      responses:
        '200': { description: '', content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Loan' } } } } }
  /covers:
    post:
      operationId: addCover
      requestBody: { $ref: '#/components/requestBodies/Cover' }
      responses: { '204': { description: '' } }
    put:
      operationId: setCover
      requestBody:
        content:
          application/x-www-form-urlencoded: { schema: { required: [id], properties: { id: { $ref: '#/components/schemas/Id' }, days: { type: integer, default: 1 } } } }
      responses: { '204': { description: '' } }
components:
  securitySchemes:
    card: { type: http, scheme: bearer }
    key: { type: apiKey, in: header, name: X-Key }
  requestBodies:
    Loan: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Loan' } } } }
    Cover:
      required: true
      content:
        multipart/form-data:
          schema: { $ref: '#/components/schemas/Cover' }
          encoding: { thumbnail: { contentType: image/png } }
  schemas:
    Cover:
      type: object
      required: [loan, front, pages]
      properties:
        loan: { type: integer, format: int64 }
        front: { type: string, format: binary }
        thumbnail: {}
        pages: { type: array, items: { type: string, format: binary } }
        of: { $ref: '#/components/schemas/Book' }
        days: { type: integer, default: 1 }
    Id: { type: integer, format: int64, readOnly: true }
    Base:
      type: object
      required: [id, title]
      properties:
        id: { $ref: '#/components/schemas/Id' }
        title: { type: string }
        pin: { type: string, writeOnly: true }
    Loan:
      allOf: [{ $ref: '#/components/schemas/Base' }]
      properties:
        days: { type: integer, default: 14 }
        of: { $ref: '#/components/schemas/Thing' }
        before: { $ref: '#/components/schemas/Loan' }
    Thing:
      oneOf: [{ $ref: '#/components/schemas/Book' }, { $ref: '#/components/schemas/Disc' }]
      discriminator: { propertyName: kind }
    Book:
      type: object
      required: [kind]
      properties:
        kind: { type: string }
        pages: { type: integer, default: 1 }
        shelf: { type: string, readOnly: true }
    Disc: { type: object, required: [kind], properties: { kind: { type: string } } }
    Error: { type: object, required: [message], properties: { message: { type: string } } }
`;

let types: string;
beforeAll(async () => {
  types = await contractTypes(CONTRACT);
});

/** The compiler's errors in some statements that have the types of the contract. */
function errorsIn(statements: string): string[] {
  const text = `
    import type { HandlerResult, OperationHandler } from './handler.js';
    import type { components, operations } from './generated-types.js';
    interface Reader { readonly name: string }
    type Handler<Id extends keyof operations> = OperationHandler<operations[Id], Reader>;
    type Result<Id extends keyof operations> = HandlerResult<operations[Id]>;
    type Schemas = components['schemas'];
    type Sent = operations['createLoan'] extends { requestBody?: infer Body } ? Body : never;
    export type { Handler, Result, Schemas, Sent, Reader };
    ${statements}
  `;
  return compile(FILE, { [FILE]: text, [TYPES]: types }).map((error) =>
    error.replace(/^.*?: /, ''),
  );
}

const handling = (statement: string): string => `
  export const handler: Handler<'createLoan'> = ({ body, query }) => {
    ${statement}
    void [body, query];
    return { status: 204 };
  };`;

describe('OpenAPI 3.0.3 §4.7.24.1 readOnly and writeOnly, in types', () => {
  it('a request is written without what is read-only', () => {
    const sending = (body: string) =>
      `export const sent: Sent = { content: { 'application/json': ${body} } };`;

    expect(errorsIn(sending("{ title: 'a', pin: '1', before: { title: 'b' } }"))).toEqual([]);
    expect(errorsIn(sending("{ title: 'a', id: 1n }"))).toEqual([
      expect.stringMatching(/^Object literal may only specify known properties, and 'id'/),
    ]);
    expect(errorsIn(sending("{ title: 'a', of: { kind: 'Book', shelf: 'A' } }"))).toContainEqual(
      expect.stringMatching(/'shelf' does not exist/),
    );
  });

  it('a handler gets no member that is read-only, and those that are write-only', () => {
    expect(errorsIn(handling('body.pin?.length; body.before?.title.length;'))).toEqual([]);
    expect(errorsIn(handling('body.id;'))).toEqual([
      expect.stringMatching(/^Property 'id' does not exist/),
    ]);
    expect(errorsIn(handling('body.before?.id;'))).toEqual([
      expect.stringMatching(/^Property 'id' does not exist/),
    ]);
  });

  it('a response has what is read-only, and no member that is write-only', () => {
    const answering = (body: string) => `
      export const result: Result<'createLoan'> =
        { status: 201, headers: { Location: '/' }, body: ${body} };`;

    expect(errorsIn(answering("{ id: 1n, title: 'a' }"))).toEqual([]);
    expect(errorsIn(answering("{ title: 'a' }"))).toContainEqual(
      expect.stringMatching(/'id' is missing/),
    );
    expect(errorsIn(answering("{ id: 1n, title: 'a', pin: '1' }"))).toContainEqual(
      expect.stringMatching(/'pin' does not exist/),
    );
  });

  it('a schema that neither concerns keeps its one type, and a discriminator its values', () => {
    expect(types).not.toMatch(/"(Error|Disc)\.\w+"/);
    expect(
      errorsIn(`
        export const book: Schemas['Book.request'] = { kind: 'Book' };
        export const disc: Schemas['Thing.request'] = { kind: 'Disc' };`),
    ).toEqual([]);
  });
});

describe('OpenAPI 3.0.3 §4.7.24.1 default, in types', () => {
  it.each([
    ['a member', 'body.days satisfies number;'],
    ['a parameter', 'query.dry satisfies boolean;'],
    ['a member of a member', 'body.before?.days satisfies number | undefined;'],
  ])('%s that has one is always there for a handler', (_case, statement) => {
    expect(errorsIn(handling(statement))).toEqual([]);
  });

  it('one inside oneOf may be absent, since none is filled in there', () => {
    expect(
      errorsIn(handling("if (body.of?.kind === 'Book') body.of.pages satisfies number;")),
    ).toEqual([expect.stringMatching(/^Type 'number \| undefined' does not satisfy/)]);
  });

  it('a client need not send it, nor a handler answer it', () => {
    expect(
      errorsIn(`
        export const parameters: operations['createLoan']['parameters'] = {};
        export const sent: Schemas['Loan.request'] = { title: 'a' };
        export const answered: Schemas['Loan.response'] = { id: 1n, title: 'a' };`),
    ).toEqual([]);
  });
});

describe('OpenAPI 3.1.0 §4.8.30 Security Requirement, in types', () => {
  const asking = (id: string, statement: string) =>
    `export const ask = (request: Parameters<Handler<'${id}'>>[0]) => { ${statement} };`;

  it('there is no principal where anyone may call', () => {
    for (const name of ['principal', 'principals']) {
      expect(errorsIn(asking('createLoan', `request.${name};`))).toEqual([
        expect.stringMatching(new RegExp(`^Property '${name}' does not exist`)),
      ]);
    }
  });

  it('there may be none where one alternative asks for nothing', () => {
    expect(errorsIn(asking('listLoans', 'request.principal?.name.length;'))).toEqual([]);
    expect(errorsIn(asking('listLoans', 'request.principal.name;'))).toEqual([
      "'request.principal' is possibly 'undefined'.",
    ]);
  });

  it('principals have the names of the schemes', () => {
    expect(errorsIn(asking('listLoans', 'request.principals.key?.name;'))).toEqual([]);
    expect(errorsIn(asking('listLoans', 'request.principals.other;'))).toEqual([
      expect.stringMatching(/^Property 'other' does not exist/),
    ]);
  });
});

describe('with the result as its return type, what a handler has wrong is said at its line', () => {
  it('one of HTTP’s own headers is not wrong', () => {
    const headers = "{ Location: '/', ETag: 'a', 'Cache-Control': 'no-store' }";

    expect(
      errorsIn(`
        export const result: Result<'createLoan'> =
          { status: 201, headers: ${headers}, body: { id: 1n, title: 'a' } };`),
    ).toEqual([]);
  });

  it.each([
    [
      'an undeclared status',
      '{ status: 202 }',
      "Type '202' is not assignable to type '201 | 204 | 404'.",
    ],
    [
      'a misspelt member',
      "{ status: 404, body: { mesage: '' } }",
      "Object literal may only specify known properties, and 'mesage' does not exist in type",
    ],
    [
      'a missing header',
      "{ status: 201, headers: {}, body: { id: 1n, title: '' } }",
      [
        "Type '{ status: 201; headers: {}; body: { id: bigint; title: string; }; }' is not assignable to type 'Result<\"createLoan\">'.",
        "Types of property 'headers' are incompatible.",
        "Property 'Location' is missing in type '{}' but required in type",
      ].join('   '),
    ],
    [
      'a misspelt header',
      "{ status: 201, headers: { Locaton: '/' }, body: { id: 1n, title: '' } }",
      "Object literal may only specify known properties, but 'Locaton' does not exist in type",
    ],
    [
      'an undeclared header where none is declared',
      "{ status: 404, headers: { 'X-A': 1 }, body: { message: '' } }",
      "Object literal may only specify known properties, and ''X-A'' does not exist in type",
    ],
    [
      'missing headers',
      "{ status: 201, body: { id: 1n, title: '' } }",
      "Type '{ status: 201; body: { id: bigint; title: string; }; }' is not assignable to type 'Result<\"createLoan\">'.   Property 'headers' is missing",
    ],
    [
      'a missing body',
      '{ status: 404 }',
      "Type '{ status: 404; }' is not assignable to type 'Result<\"createLoan\">'.   Property 'body' is missing",
    ],
  ])('%s', (_case, result, message) => {
    const errors = errorsIn(`
      export const handler: Handler<'createLoan'> = async ({ body }): Promise<Result<'createLoan'>> => {
        await Promise.resolve();
        if (body.title === '') return ${result};
        return { status: 204 };
      };`);

    expect(errors).toHaveLength(1);
    expect(errors[0]?.replace(/ {2,}/g, '   ').slice(0, message.length)).toBe(message);
  });
});

describe('OpenAPI 3.1.0 §4.8.14.4 forms, in types', () => {
  const adding = (statement: string): string => `
    export const handler: Handler<'addCover'> = async ({ body }) => {
      ${statement}
      return { status: 204 };
    };`;
  const sending = (body: string): string => `
    type Cover = operations['addCover']['requestBody']['content']['multipart/form-data'];
    export const sent: Cover = ${body};`;

  it('a handler gets files as what they are read from, and text by its schema', () => {
    const statements = `
      const ids: bigint = body.loan;
      const names: (string | undefined)[] = body.pages.map(({ filename }) => filename);
      for await (const chunk of body.front.stream) void chunk;
      void [ids, names, body.thumbnail?.mediaType, body.of?.kind, body.days.toFixed()];`;

    expect(errorsIn(adding(statements))).toEqual([]);
    expect(errorsIn(adding('body.front.length;'))).toEqual([
      expect.stringMatching(/^Property 'length' does not exist on type 'FormFile'/),
    ]);
    expect(errorsIn(adding('body.thumbnail.stream;'))).toEqual([
      expect.stringMatching(/possibly 'undefined'/),
    ]);
  });

  it('a client sends files as Blobs', () => {
    const file = "new Blob(['a'])";

    expect(errorsIn(sending(`{ loan: 1n, front: ${file}, pages: [${file}] }`))).toEqual([]);
    expect(errorsIn(sending(`{ loan: 1n, front: 'a', pages: [${file}] }`))).toEqual([
      expect.stringMatching(/^Type 'string' is not assignable to type 'Blob'/),
    ]);
  });

  it('a form in a query’s encoding is typed by its schema', () => {
    const setting = `
      export const handler: Handler<'setCover'> = ({ body }) => {
        body?.days.toFixed();
        return { status: 204 };
      };`;

    expect(errorsIn(setting)).toEqual([]);
  });
});
