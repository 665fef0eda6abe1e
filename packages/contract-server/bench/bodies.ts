/**
 * `npm run bench:bodies`: what it costs to read and judge a body of 1 MB, beside `JSON.parse` and the same
 * schema compiled by Ajv alone, which notice neither lost digits nor doubled names.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ContractDocument } from '../src/document/document.js';
import { parseContract, readContract } from '../src/document/read-contract.js';
import { createHandlerRequests } from '../src/pipeline/handler-request.js';
import { OpenStreams } from '../src/items/open-streams.js';
import { readJson } from '../src/json/json.js';
import { listOperations } from '../src/operation/operation.js';
import { createValidatorLookup } from '../src/validation/validator.js';

const USAGE = `usage: npm run bench:bodies
Takes no options; measures for half a minute.`;
if (process.argv.includes('--help') || process.argv.includes('-h')) {
  console.log(USAGE);
  process.exit(0);
}

const BODY_BYTES = 1_000_000;
const ROUNDS = 15;
const MEDIA_TYPE = 'application/json';

/** Reads and judges the text of a body. */
type Read = (text: string) => unknown;

const order = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer', format: 'int64' }, name: { type: 'string' } },
};
const listSchema = {
  type: 'object',
  required: ['orders'],
  properties: { orders: { type: 'array', items: order } },
};
const plantSchema = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'integer', format: 'int64' },
    name: { type: 'string', pattern: '^[^\\u0000]*$' },
    tag: { type: 'string', pattern: '^[^\\u0000]*$' },
  },
};
const contract = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1.0.0' },
  paths: {
    '/orders': {
      post: {
        operationId: 'createOrders',
        requestBody: { required: true, content: { [MEDIA_TYPE]: { schema: listSchema } } },
        responses: { '204': { description: 'They are there.' } },
      },
    },
  },
};

/** All that the engine does with a body's text before the handler gets it. */
async function createOurs(document: ContractDocument): Promise<Read> {
  const operations = listOperations(document);
  const [operation] = operations;
  if (operation === undefined) throw new Error('the contract has no operation');
  const validatorOf = await createValidatorLookup(document, operations);
  const validator = await validatorOf(operation);
  const createHandlerRequest = createHandlerRequests(document, operation, new OpenStreams());
  const res = new ServerResponse(new IncomingMessage(new Socket()));
  return async (text) => {
    const { value: body, integers } = readJson(text);
    const none = { path: {}, query: {}, header: {}, cookie: {} };
    const request = {
      mediaType: MEDIA_TYPE,
      value: { ...none, body },
      integers: { body: integers },
      stream: undefined,
      form: undefined,
    };
    const problems = await validator.validateRequest(request);
    if (problems.length > 0) throw new Error('a body of the benchmark is refused');
    return createHandlerRequest(request, { principal: undefined, principals: {} }, res);
  };
}

function createSimple(schema: object): Read {
  const ajv = new Ajv2020({ formats: { int64: true } });
  const validate = ajv.compile(schema);
  return (text) => {
    if (!validate(JSON.parse(text))) throw new Error('a body of the benchmark is refused');
  };
}

/** `start`, then as many of these parts as make a megabyte, then `end`. */
function bodyOf(start: string, part: (n: number) => string, end: string): string {
  const parts: string[] = [];
  for (let n = 0, length = 0; length < BODY_BYTES; n++) {
    const text = part(n);
    parts.push(text);
    length += text.length + 1;
  }
  return start + parts.join() + end;
}

const big = (n: number): bigint => 9007199254740993n + BigInt(n);
const plant = '{"id":9007199254740993,"name":';

const plants = await readContract('api/openapi.yaml');
const ourPlants = await createOurs(plants);
const ourOrders = await createOurs(await parseContract(contract));
const simplePlants = createSimple(plantSchema);
const simpleOrders = createSimple(listSchema);

const cases: readonly (readonly [string, string, Read, Read])[] = [
  ...(
    [
      ['a name', `${plant}"${'x'.repeat(BODY_BYTES)}"}`],
      ['a name of escapes', `${plant}"${'\\ud83c\\udf35'.repeat(BODY_BYTES / 12)}"}`],
      ['unknown members', bodyOf(`${plant}"x",`, (n) => `"m${n}":${n}`, '}')],
      ['arrays and objects in each other', bodyOf(`${plant}"x","list":[`, deep, ']}')],
      ['a list of small numbers', bodyOf(`${plant}"x","list":[`, (n) => `${n % 10}`, ']}')],
      ['a list of integers of 16 digits', bodyOf(`${plant}"x","list":[`, (n) => `${big(n)}`, ']}')],
    ] as const
  ).map(([name, text]) => [name, text, ourPlants, simplePlants] as const),
  ...(
    [
      ['objects with a small int64', smallOrder],
      ['objects with an int64 of 16 digits', bigOrder],
    ] as const
  ).map(
    ([name, make]) => [name, bodyOf('{"orders":[', make, ']}'), ourOrders, simpleOrders] as const,
  ),
];

function deep(): string {
  return '[{"a":'.repeat(100) + '1' + '}]'.repeat(100);
}

function smallOrder(n: number): string {
  return `{"id":${n},"name":"order ${n}"}`;
}

function bigOrder(n: number): string {
  return `{"id":${big(n)},"name":"order ${n}"}`;
}

/** The medians of both, each measured right after the other. */
async function measure(text: string, reads: readonly Read[]): Promise<number[]> {
  const times = reads.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, read] of reads.entries()) {
      const startedAt = performance.now();
      await read(text);
      times[index]?.push(performance.now() - startedAt);
    }
  }
  return times.map((each) => each.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? NaN);
}

for (const [name, text, ours, simple] of cases) {
  const [own = NaN, theirs = NaN] = await measure(text, [ours, simple]);
  const ratio = (own / theirs).toFixed(2);
  console.log(
    `1 MB of ${name}: ${own.toFixed(1)} ms, JSON.parse and Ajv ${theirs.toFixed(1)} ms: ${ratio}x`,
  );
}
