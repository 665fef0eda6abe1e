/** What a change means to a client: `none` is for changes that no client can notice. */
export type Verdict = 'breaks' | 'compatible' | 'none';

/** One change between two contracts, and what must be said of it. */
export interface Row {
  readonly name: string;
  readonly old: object;
  readonly new: object;
  readonly expected: Verdict;
  /** Where the change must be reported; left out where there is nothing to report. */
  readonly location?: string;
}

/** A change of a schema, and what it means where the schema is a request's and where a response's. */
export interface SchemaRow {
  readonly name: string;
  readonly openapi?: '3.0.3' | '3.1.0';
  readonly old: object;
  readonly new: object;
  readonly request: Verdict;
  readonly response: Verdict;
  /** Within the schema. */
  readonly pointer?: string;
  readonly oldComponents?: object;
  readonly newComponents?: object;
}

/** Everything that a contract must have, around some paths. */
export function contractOf(paths: object, rest: object = {}): object {
  return { openapi: '3.1.0', info: { title: 'things', version: '1.0.0' }, paths, ...rest };
}

const ok = { '204': { description: 'Done.' } };

/** A contract with one operation that takes this schema as its body. */
function requestContract(openapi: string, schema: object, schemas: object): object {
  const operation = {
    operationId: 'putThing',
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: ok,
  };
  return contractOf({ '/things': { put: operation } }, { openapi, components: { schemas } });
}

/** A contract with one operation that answers with this schema. */
function responseContract(openapi: string, schema: object, schemas: object): object {
  const operation = {
    operationId: 'getThing',
    responses: { '200': { description: 'A thing.', content: { 'application/json': { schema } } } },
  };
  return contractOf({ '/things': { get: operation } }, { openapi, components: { schemas } });
}

/** The change on each of its two sides. */
export function bothSides(row: SchemaRow): Row[] {
  const { openapi = '3.1.0', oldComponents = {}, newComponents = oldComponents } = row;
  const pointer = row.pointer === undefined ? '' : ` ${row.pointer}`;
  return [
    {
      name: `request: ${row.name}`,
      old: requestContract(openapi, row.old, oldComponents),
      new: requestContract(openapi, row.new, newComponents),
      expected: row.request,
      ...(row.request !== 'none' && { location: `request body${pointer}` }),
    },
    {
      name: `response: ${row.name}`,
      old: responseContract(openapi, row.old, oldComponents),
      new: responseContract(openapi, row.new, newComponents),
      expected: row.response,
      ...(row.response !== 'none' && { location: `response 200${pointer}` }),
    },
  ];
}
