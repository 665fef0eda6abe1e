/**
 * A contract as payment services publish them: each object names others by their ids or has them in
 * full (`anyOf`), so that every schema reaches every other, and every operation all of them.
 */
const RESOURCES = 113;
/** Parts of resources, such as their settings; each refers to a resource in turn. */
const PARTS = 380;

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string', maxLength: 5000 };
const refTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const resource = (index: number): Schema => refTo(`resource_${index % RESOURCES}`);
const numbers = (count: number): number[] => [...Array(count).keys()];

const object = (properties: Readonly<Record<string, Schema>>, ...required: string[]): Schema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
});

const listOf = (items: Schema): Schema =>
  object({ data: { type: 'array', items }, has_more: { type: 'boolean' } }, 'data');

/** By id, in full, or what is left of it where it was deleted. */
const expandable = (index: number): Schema => ({
  anyOf: [text, resource(index), refTo('deleted')],
  nullable: index % 2 === 0,
});

/** A few members of each kind; the number makes no two schemas the same. */
const plainMembers = (index: number): Record<string, Schema> => ({
  created: { type: 'integer', format: 'int64' },
  amount: { type: 'integer', minimum: 0, nullable: true },
  currency: { type: 'string', enum: ['chf', 'eur', 'usd', `x${index}`] },
  livemode: { type: 'boolean' },
  metadata: { type: 'object', additionalProperties: { type: 'string', maxLength: 500 } },
  status: { type: 'string', enum: ['open', 'paid', 'void'], nullable: true },
  [`detail_${index}`]: object(
    { code: text, lines: { type: 'array', items: { type: 'number' } } },
    'code',
  ),
});

function resourceSchema(index: number): Schema {
  const parts = [0, 1, 2, 3].map((step) => `part_${(index * 3 + step * 31) % PARTS}`);
  return object(
    {
      ...plainMembers(index),
      id: text,
      object: { type: 'string', enum: [`resource_${index}`] },
      next: expandable(index + 1),
      customer: expandable(index * 5 + 2),
      source: { anyOf: [1, 2, 3].map((step) => resource(index * step + step)) },
      lines: listOf(expandable(index * 11 + 7)),
      ...Object.fromEntries(parts.map((part) => [part, refTo(part)])),
    },
    'id',
    'object',
  );
}

const partSchema = (index: number): Schema =>
  object({
    ...plainMembers(index),
    owner: expandable(index * 7 + 3),
    [`part_${(index * 2 + 1) % PARTS}`]: refTo(`part_${(index * 2 + 1) % PARTS}`),
  });

/** What a client sends has no references, and parts within parts. */
const inputSchema = (index: number): Schema => ({
  ...object({
    ...plainMembers(index),
    ...Object.fromEntries(
      numbers(index % 12).map((part) => [`part_${part}`, object(plainMembers(part))]),
    ),
  }),
  additionalProperties: false,
});

const content = (schema: Schema): object => ({ content: { 'application/json': { schema } } });

const answers = (schema: Schema): object => ({
  '200': { description: 'As asked.', ...content(schema) },
  default: {
    description: 'An error.',
    ...content(object({ error: object({ code: text, source: resource(0) }) }, 'error')),
  },
});

const limit = { in: 'query', name: 'limit', schema: { type: 'integer', maximum: 100 } };
const id = { in: 'path', name: 'id', required: true, schema: text };

function pathsOf(index: number): [string, object][] {
  const one = answers(resource(index));
  const requestBody = content(inputSchema(index));
  const list = { parameters: [limit], responses: answers(listOf(resource(index))) };
  return [
    [
      `/resource_${index}`,
      {
        get: { operationId: `list_${index}`, ...list },
        post: { operationId: `create_${index}`, requestBody, responses: one },
      },
    ],
    [
      `/resource_${index}/{id}`,
      {
        parameters: [id],
        get: { operationId: `get_${index}`, responses: one },
        post: { operationId: `update_${index}`, requestBody, responses: one },
      },
    ],
  ];
}

const schemas: Readonly<Record<string, Schema>> = Object.fromEntries([
  ...numbers(RESOURCES).map((index) => [`resource_${index}`, resourceSchema(index)] as const),
  ...numbers(PARTS).map((index) => [`part_${index}`, partSchema(index)] as const),
  ['deleted', object({ deleted: { type: 'boolean', enum: [true] } }, 'deleted')] as const,
]);

/** An OpenAPI document with 452 operations. */
export const paymentContract = {
  openapi: '3.0.3',
  info: { title: 'payments', version: '1.0.0' },
  paths: Object.fromEntries(numbers(RESOURCES).flatMap(pathsOf)),
  components: { schemas },
};
