import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { contractTypes } from '../src/commands/generate/contract-types.js';
import { parseFormatTypes } from '../src/commands/generate/format-types.js';
import { createCompiler } from 'contract-testing/compile';

/** The compiler starts from here: with the handler in it, nothing of the service is compiled. */
const FILE = 'src/generated-handler.ts';
const TYPES = 'src/generated-types.ts';
const { compile } = createCompiler(fileURLToPath(new URL('..', import.meta.url)));

const CONTRACT = `
openapi: 3.1.0
info: { title: a fixture, version: '1' }
security: [{ card: [] }]
paths:
  /loans/{loanId}:
    get:
      operationId: getLoan
      parameters:
        - { name: loanId, in: path, required: true, schema: { type: integer, format: int64 } }
        - { name: limit, in: query, schema: { type: integer } }
        - { name: order, in: query, required: true, schema: { enum: [up, down] } }
        - { name: X-Trace, in: header, required: true, schema: { type: string } }
        - { name: session, in: cookie, schema: { type: string } }
      responses:
        '200':
          description: ''
          headers:
            X-Total: { required: true, schema: { type: integer } }
            X-Next: { schema: { type: string } }
          content:
            application/json: { schema: { $ref: '#/components/schemas/Loan' } }
            text/plain: { schema: { type: string } }
        '204': { description: '' }
        '404': { description: '', content: { application/json: { schema: { $ref: '#/components/schemas/Missing' } } } }
        4XX: { description: '', content: { application/json: { schema: { $ref: '#/components/schemas/Problem' } } } }
        default: { description: '', content: { text/plain: { schema: { type: string } } } }
    put:
      operationId: putLoan
      parameters: [{ name: loanId, in: path, required: true, schema: { type: string } }]
      requestBody:
        required: true
        content:
          application/json: { schema: { $ref: '#/components/schemas/Loan' } }
          text/csv: { schema: { type: string } }
          application/octet-stream: {}
      responses: { '204': { description: '' } }
    patch:
      operationId: patchLoan
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Loan' } } } }
      responses: { '200': { description: '', content: { image/png: {} } } }
  /loans/events:
    get:
      operationId: watchLoans
      responses:
        '200':
          description: ''
          content:
            text/event-stream: { x-item-schema: { $ref: '#/components/schemas/Change' } }
            application/jsonl: { x-item-schema: { $ref: '#/components/schemas/Loan' } }
    post:
      operationId: addLoans
      requestBody:
        required: true
        content: { application/jsonl: { x-item-schema: { $ref: '#/components/schemas/Loan' } } }
      responses: { '204': { description: '' } }
  /published:
    post:
      operationId: sendAny
      requestBody: { required: true, content: { '*/*': { schema: { $ref: '#/components/schemas/Loan' } } } }
      responses:
        '200': { description: '', content: { '*/*': { schema: { $ref: '#/components/schemas/Loan' } } } }
        '201': { description: '', content: { application/*+json: { schema: { $ref: '#/components/schemas/Loan' } } } }
        '202': { description: '', content: { text/*: { schema: { type: string } } } }
        '203': { description: '', content: { image/*: {} } }
components:
  securitySchemes: { card: { type: http, scheme: bearer } }
  schemas:
    Change:
      type: object
      required: [event, data]
      properties:
        event: { type: string }
        data: { type: string }
        id: { type: string }
      oneOf:
        - properties:
            event: { const: lent }
            data: { contentMediaType: application/json, contentSchema: { $ref: '#/components/schemas/Loan' } }
        - properties: { event: { const: counted }, data: { contentMediaType: application/json, contentSchema: { type: integer, format: int64 } } }
    Loan: { type: object, required: [title], properties: { title: { type: string }, days: { type: integer } } }
    Problem: { type: object, required: [code], properties: { code: { type: integer } } }
    Missing: { type: object, required: [what], properties: { what: { type: string } } }
`;

let types: string;
beforeAll(async () => {
  types = await contractTypes(CONTRACT);
});

/** The compiler's errors in a handler of one operation. */
function errorsIn(operationId: string, handler: string): string[] {
  const text = `
    import type { OperationHandler } from './handler.js';
    import type { operations } from './generated-types.js';
    interface Reader { readonly card: string }
    export const handler: OperationHandler<operations['${operationId}'], Reader> = ${handler};
  `;
  return compile(FILE, { [FILE]: text, [TYPES]: types });
}

const answering = (response: string): string => `() => (${response})`;
const reading = (statements: string): string =>
  `({ params, query, headers, cookies, body, principal }) => {
    ${statements}
    void [params, query, headers, cookies, body, principal];
    return { status: 204 };
  }`;

describe('OpenAPI 3.1.0 §4.8.12 what a handler gets of parameters is typed', () => {
  it.each([
    [
      'a path parameter',
      'params.loanId satisfies bigint;',
      'params.loanID;',
      /'loanID' does not exist.*'loanId'/,
    ],
    ['its int64', 'params.loanId + 1n;', 'params.loanId + 1;', /'\+'.*'bigint' and '(number|1)'/],
    [
      'a query parameter',
      "query.order satisfies 'up' | 'down';",
      "query.order satisfies 'up';",
      /"up" \| "down".*"up"/,
    ],
    [
      'an optional one',
      '(query.limit ?? 1) satisfies number;',
      'query.limit satisfies number;',
      /undefined.*'number'/,
    ],
    ['a header', "headers['X-Trace'].length;", "headers['X-Other'];", /'X-Other'/],
    ['a cookie', 'cookies?.session?.length;', 'cookies?.sesion;', /'sesion'.*'session'/],
    ['no body', 'body satisfies undefined;', 'body.title;', /'title'|possibly|undefined/],
    ['the principal', 'principal.card.length;', 'principal.name;', /'name'.*'Reader'/],
  ])('%s', (_case, right, wrong, message) => {
    expect(errorsIn('getLoan', reading(right))).toEqual([]);
    expect(errorsIn('getLoan', reading(wrong))).toContainEqual(expect.stringMatching(message));
  });
});

describe('OpenAPI 3.1.0 §4.8.13 what a handler gets of a body is typed', () => {
  it.each([
    [
      'JSON, text or bytes',
      'putLoan',
      "if (typeof body === 'string') body.trim(); else if ('title' in body) body.title.trim(); else body.pipe;",
      'body.title;',
      /'title' does not exist/,
    ],
    [
      'a renamed member',
      'putLoan',
      "if (typeof body === 'object' && 'title' in body) body.days;",
      "if (typeof body === 'object' && 'title' in body) body.weeks;",
      /'weeks'/,
    ],
  ])('%s', (_case, operationId, right, wrong, message) => {
    expect(errorsIn(operationId, reading(right))).toEqual([]);
    expect(errorsIn(operationId, reading(wrong))).toContainEqual(expect.stringMatching(message));
  });

  it('an optional body, which may not be there', () => {
    const reads = (statement: string) =>
      `({ body }) => { ${statement} return { status: 200, body: '' }; }`;

    expect(errorsIn('patchLoan', reads('body?.title.trim();'))).toEqual([]);
    expect(errorsIn('patchLoan', reads('body.title.trim();'))).toContainEqual(
      expect.stringMatching(/'body' is possibly 'undefined'/),
    );
  });
});

describe('OpenAPI 3.2.0 §4.14.3.1 items, in types', () => {
  const watching = (item: string, contentType: string): string => `({ signal, headers }) => ({
    status: 200,
    contentType: '${contentType}',
    body: (async function* () {
      for (let next = headers['Last-Event-ID'] ?? ''; !signal.aborted; next += '1') yield ${item};
    })(),
  })`;
  const events = 'text/event-stream';

  it.each([
    ['JSON data', events, `{ event: 'lent', data: { title: 'a' } } as const`],
    ['a number as data', events, `{ event: 'counted', data: 1n } as const`],
    ['a line', 'application/jsonl', `{ title: 'a' }`],
  ])('takes %s', (_case, contentType, item) => {
    expect(errorsIn('watchLoans', watching(item, contentType))).toEqual([]);
  });

  it.each([
    ['data of another event', events, `{ event: 'counted', data: { title: 'a' } } as const`],
    ['an event that is not declared', events, `{ event: 'lost', data: 1n } as const`],
    ['a line that lacks a member', 'application/jsonl', `{ name: 'a' }`],
  ])('doesn’t compile %s', (_case, contentType, item) => {
    expect(errorsIn('watchLoans', watching(item, contentType))).not.toEqual([]);
  });

  it('gives a handler the items of a request', () => {
    const adding = (member: string): string => `async ({ body }) => {
      for await (const loan of body) loan.${member};
      return { status: 204 };
    }`;

    expect(errorsIn('addLoans', adding('title.length'))).toEqual([]);
    expect(errorsIn('addLoans', adding('name'))).toContainEqual(expect.stringMatching(/'name'/));
  });
});

describe('OpenAPI 3.1.0 §4.8.16 what a handler returns is one of the responses', () => {
  const ok = "status: 200, headers: { 'X-Total': 1 }";

  it.each([
    ['JSON', `{ ${ok}, contentType: 'application/json', body: { title: 'a' } }`],
    ['text', `{ ${ok}, contentType: 'text/plain', body: 'a' }`],
    ['an optional header', `{ status: 200, headers: { 'X-Total': 1, 'X-Next': 'a' }, body: 'a' }`],
    ['no body', '{ status: 204 }'],
    ['a status of its own in a range', "{ status: 404, body: { what: 'a' } }"],
    ['a status of the range', '{ status: 409, body: { code: 1 } }'],
    ['a status of default', "{ status: 503, body: 'a' }"],
  ])('%s', (_case, response) => {
    expect(errorsIn('getLoan', answering(response))).toEqual([]);
  });

  it.each([
    [
      'a missing member',
      `{ ${ok}, contentType: 'application/json', body: { days: 1 } }`,
      /'title' is missing/,
    ],
    [
      'a misnamed member',
      `{ ${ok}, contentType: 'application/json', body: { titel: 'a' } }`,
      /'title' is missing/,
    ],
    [
      'a member of another type',
      `{ ${ok}, contentType: 'application/json', body: { title: 1 } }`,
      /'number' is not assignable to type 'string'/,
    ],
    [
      'missing headers',
      "{ status: 200, contentType: 'text/plain', body: 'a' }",
      /'headers' is missing/,
    ],
    [
      'a missing header',
      "{ status: 200, headers: {}, contentType: 'text/plain', body: 'a' }",
      /"X-Total"' is missing/,
    ],
    ['an undeclared media type', `{ ${ok}, contentType: 'text/html', body: 'a' }`, /"text\/html"/],
    [
      'a body where there is none',
      "{ status: 204, body: 'a' }",
      /'string' is not assignable to type 'undefined'/,
    ],
    [
      'the range’s body at a status of its own',
      '{ status: 404, body: { code: 1 } }',
      /'code' does not exist|'what' is missing/,
    ],
    [
      'the default’s body in the range',
      "{ status: 409, body: 'a' }",
      /'string' is not assignable to type '\{ code/,
    ],
    ['a missing member in a range', '{ status: 409, body: {} }', /'code' is missing/],
    ['what is no status', "{ status: 777, body: 'a' }", /777/],
  ])('but not %s', (_case, response, message) => {
    expect(errorsIn('getLoan', answering(response))).toContainEqual(expect.stringMatching(message));
  });

  it('bytes as a string, an array of bytes or a stream, and nothing else', () => {
    expect(errorsIn('patchLoan', answering('{ status: 200, body: new Uint8Array() }'))).toEqual([]);
    expect(errorsIn('patchLoan', answering('{ status: 200, body: { a: 1 } }'))).toContainEqual(
      expect.stringMatching(/'a' does not exist/),
    );
  });
});

describe('OpenAPI 3.1.0 §4.8.17 a range of media types, in types', () => {
  it.each([
    ['JSON', "{ status: 200, body: { title: 'a' } }", '{ status: 200, body: { title: 1 } }'],
    [
      'JSON of a type that is named',
      "{ status: 201, contentType: 'application/a+json', body: { title: 'a' } }",
      "{ status: 201, body: { title: 'a' } }",
    ],
    [
      'bytes of a type that is named',
      "{ status: 200, contentType: 'image/png', body: new Uint8Array() }",
      '{ status: 200, body: new Uint8Array() }',
    ],
    ['text', "{ status: 202, body: 'a' }", '{ status: 202, body: { a: 1 } }'],
    [
      'a type in the range',
      "{ status: 203, contentType: 'image/png', body: 'a' }",
      "{ status: 203, contentType: 'text/plain', body: 'a' }",
    ],
  ])('is %s', (_case, right, wrong) => {
    expect(errorsIn('sendAny', answering(right))).toEqual([]);
    expect(errorsIn('sendAny', answering(wrong))).not.toEqual([]);
  });

  it('gives a handler JSON, text or bytes', () => {
    const reads = (statement: string) =>
      `({ body }) => { ${statement} return { status: 202, body: '' }; }`;

    const told = "if (typeof body === 'object' && 'title' in body) body.title.trim();";
    expect(errorsIn('sendAny', reads(told))).toEqual([]);
    expect(errorsIn('sendAny', reads('body.title;'))).not.toEqual([]);
  });
});

describe('what others serve, and what is no member, asks nothing of the code', () => {
  const PUBLISHED = `
openapi: 3.1.0
info: { title: a fixture, version: '1' }
webhooks:
  loanEnded: { post: { operationId: loanEnded, responses: { '204': { description: '' } } } }
paths:
  /loans:
    post:
      operationId: createLoan
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Loan' } } } }
      callbacks:
        created: { '{$url}': { post: { operationId: loanCreated, responses: { '204': { description: '' } } } } }
      responses: { '204': { description: '' } }
components:
  schemas:
    Loan:
      type: object
      required: [of, callbacks, extra]
      properties:
        of: { $ref: '#/components/schemas/Loan/$defs/Thing' }
        callbacks: { type: integer }
        extra: { type: object }
      $defs:
        Thing:
          oneOf: [{ $ref: '#/components/schemas/Book' }, { $ref: '#/components/schemas/Disc' }]
          discriminator: { propertyName: kind, mapping: { book: Book, disc: '#/components/schemas/Disc' } }
    Book: { type: object, required: [kind], properties: { kind: { type: string }, title: { type: string } } }
    Disc: { type: object, required: [kind], properties: { kind: { type: string } } }
`;

  it('no handler, no member $defs, no schema that is a file', async () => {
    const text = `
      import type { OperationHandlers } from './handler.js';
      import type { components, operations } from './generated-types.js';
      export const id: keyof operations = 'createLoan' satisfies keyof operations;
      export const handlers: OperationHandlers<operations, unknown> = {
        createLoan: ({ body }) => {
          body.extra.anything satisfies unknown;
          if (body.of.kind === 'book') body.of.title?.length;
          return { status: 204 };
        },
      };
      export const loan: components['schemas']['Loan'] = {
        of: { kind: 'disc' }, callbacks: 1, extra: { anything: true },
      };
    `;
    const generated = await contractTypes(PUBLISHED);

    expect(compile(FILE, { [FILE]: text, [TYPES]: generated })).toEqual([]);
  });
});

describe('OpenAPI 3.1.0 §4.8 a contract as it was published, in types', () => {
  const PUBLISHED = `
openapi: 3.1.0
info: { title: a fixture, version: '1' }
paths:
  /loans/{loan~id}/a-b:
    parameters: [{ name: loan~id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '204': { description: '' } } }
    put: { operationId: twice, responses: { '204': { description: '' } } }
    post: { operationId: twice, responses: { '204': { description: '' } } }
  '/#Target=A':
    post: { operationId: broken, responses: { '204': { description: '' } } }
`;

  it('names operations without operationId, and asks for no handler of what cannot be served', async () => {
    const path = '/loans/{loan~id}/a-b';
    const text = `
      import type { OperationHandlers } from './handler.js';
      import type { operations, paths } from './generated-types.js';
      export const handlers: OperationHandlers<operations, unknown> = {
        'GET ${path}': ({ params }) => {
          params['loan~id'] satisfies number;
          return { status: 204 };
        },
        'PUT ${path}': () => ({ status: 204 }),
        'POST ${path}': () => ({ status: 204 }),
      };
      export const get: operations['GET ${path}'] = {} as paths['${path}']['get'];
      export const incomplete: OperationHandlers<operations, unknown> = {
        'GET ${path}': () => ({ status: 204 }),
        'PUT ${path}': () => ({ status: 204 }),
      };
    `;
    const generated = await contractTypes(PUBLISHED);

    expect(compile(FILE, { [FILE]: text, [TYPES]: generated })).toEqual([
      expect.stringMatching(`"POST ${path.replace(/[{}]/g, '.')}"`),
    ]);
  });
});

describe('OpenAPI 3.1.0 §4.4 formats of the service’s own, in types', () => {
  const LOANS = `
openapi: 3.1.0
info: { title: a fixture, version: '1' }
paths:
  /loans/{id}:
    put:
      operationId: putLoan
      parameters: [{ name: id, in: path, required: true, schema: { $ref: '#/components/schemas/Id' } }]
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Loan' } } } }
      responses:
        '200': { $ref: '#/components/responses/Loan' }
        '204': { description: '', headers: { X-Id: { required: true, schema: { $ref: '#/components/schemas/Id' } } } }
  /loans:
    get:
      operationId: listLoans
      responses: { '200': { description: '', content: { application/json: { schema: { type: string } } } } }
components:
  responses:
    Loan: { description: '', content: { application/json: { schema: { $ref: '#/components/schemas/Loan' } } } }
  schemas:
    Id: { type: string, format: ulid }
    Loan:
      type: object
      required: [id, until]
      properties:
        id: { $ref: '#/components/schemas/Id' }
        until: { type: [string, 'null'], format: date-time }
        ended: { anyOf: [{ type: string, format: date-time }, { const: never }] }
        days: { type: integer, default: 1 }
`;
  const formats = parseFormatTypes(['date-time=Date', 'ulid=Ulid from ./ulid.js']);
  const ULID = 'src/ulid.ts';
  const ulid = 'export class Ulid { #text = ""; toText(): string { return this.#text; } }';

  it('handlers get and return the types that are given for them, and clients texts', async () => {
    const text = `
      import type { OperationHandlers } from './handler.js';
      import type { components, operations } from './generated-types.js';
      import { Ulid } from './ulid.js';
      export const handlers: OperationHandlers<operations, unknown> = {
        putLoan: ({ params, body }) => {
          params.id.toText();
          body.id.toText();
          body.until?.getTime();
          body.days.toFixed();
          if (body.ended !== 'never') body.ended?.getTime();
          if (body.until === null) return { status: 204, headers: { 'X-Id': params.id } };
          return { status: 200, body: { id: new Ulid(), until: new Date() } };
        },
        listLoans: () => ({ status: 200, body: '' }),
      };
      export const sent: components['schemas']['Loan'] = { id: 'text', until: 'text' };
      type Body = operations['putLoan']['requestBody']['content']['application/json'];
      export const body: Body = sent;
      export const wrong: OperationHandlers<operations, unknown>['putLoan'] = () => ({
        status: 200, body: { id: 'text', until: null },
      });
    `;
    const generated = await contractTypes(LOANS, formats);

    expect(compile(FILE, { [FILE]: text, [TYPES]: generated, [ULID]: ulid })).toEqual([
      expect.stringMatching("'string' is not assignable to type 'Ulid'"),
    ]);
  });

  it('a mapping that is none is refused', () => {
    expect(() => parseFormatTypes(['ulid'])).toThrow('--format takes "date-time=Date" or');
  });
});
