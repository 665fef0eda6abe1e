/** What a change means to a client: `none` is for changes that no client can notice. */
export type Verdict = 'breaks' | 'compatible' | 'none';

/** One change between two contracts, and what must be said of it. */
export interface Row {
  readonly name: string;
  readonly old: object;
  readonly new: object;
  readonly expected: Verdict;
  /** Where the change must be reported: for whom, or its pointer; left out where there is nothing to report. */
  readonly location?: string;
  /** Why: what the report says, where there is one. */
  readonly because: string;
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
  /** Where the change must be reported, if not within the schema of the operation. */
  readonly definition?: string;
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

/** A schema is judged by what becomes of the values that are sent. */
const BECAUSE = {
  request: {
    breaks: 'what clients send may be refused, or mean something else',
    compatible: 'what clients send is taken as before',
    none: 'the same values are valid',
  },
  response: {
    breaks: 'clients may get what they were not told of, or miss what they were',
    compatible: 'clients were told of all that they get',
    none: 'the same values are valid',
  },
};

/** The change on each of its two sides. */
export function bothSides(row: SchemaRow): Row[] {
  const { openapi = '3.1.0', oldComponents = {}, newComponents = oldComponents } = row;
  const side = (direction: 'request' | 'response', contractWith: typeof requestContract): Row => {
    const part = direction === 'request' ? 'request body' : 'response 200';
    const pointer = row.pointer === undefined ? '' : ` ${row.pointer}`;
    return {
      name: `${direction}: ${row.name}`,
      old: contractWith(openapi, row.old, oldComponents),
      new: contractWith(openapi, row.new, newComponents),
      expected: row[direction],
      because: BECAUSE[direction][row[direction]],
      ...(row[direction] !== 'none' && { location: row.definition ?? part + pointer }),
    };
  };
  return [side('request', requestContract), side('response', responseContract)];
}
