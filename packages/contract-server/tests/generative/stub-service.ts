import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer } from 'node:http';
import fc from 'fast-check';
import type { Strategy } from 'passport';
import type { ApiError } from '../../src/index.js';
import { serveFixture } from '../support/fixture.js';
import {
  answersOf,
  listen,
  lostOnTheWay,
  Schemas,
  Values,
  valuesOf,
  type Answer,
  type Case,
  type Client,
  type Contract,
  type Expectation,
  type Members,
  type Operation,
  type Received,
} from 'contract-testing/generate';

/** As many different answers an operation has, of each status and media type. */
const ANSWERS = 40;

export interface StubService {
  readonly client: Client;
  readonly expect: (sent: Case) => Expectation;
  readonly close: () => Promise<void>;
}

export interface StubOptions {
  readonly strategies?: Readonly<Record<string, Strategy>>;
  readonly errorBody?: (error: ApiError) => unknown;
  readonly maxBodyBytes: number;
}

/**
 * Serves a contract by the engine and by handlers that answer what the contract says, whatever it is:
 * each answer is drawn from the schemas of a declared success. What handlers got is held against what
 * was sent.
 * @param root the contract, or another document that says the same
 */
export async function serveStubs(
  contract: Contract,
  root: Members,
  { strategies = {}, errorBody, maxBodyBytes }: StubOptions,
): Promise<StubService> {
  const values = new Values(new Schemas(contract.root, 'response'));
  const context = new AsyncLocalStorage<string>();
  const received = new Map<string, Received>();
  const handlers = Object.fromEntries(
    contract.operations.map((operation) => {
      const answers = sampleAnswers(operation, values);
      const handle = async (request: unknown): Promise<Answer | undefined> => {
        // Its own type says only what every handler is given.
        const { body, ...rest } = request as Received;
        const label = context.getStore() ?? '';
        const items: unknown[] = [];
        received.set(label, { ...rest, body: items });
        received.set(label, { ...rest, body: await readWhole(body, items) });
        return answers[Number(label) % answers.length];
      };
      return [operation.operationId, handle];
    }),
  );
  const { app, faults } = await serveFixture(root, handlers, {
    strategies,
    ...(errorBody && { errorBody }),
    limits: { maxBodyBytes, requestTimeoutMs: 10_000 },
    undeclaredErrors: 'send',
  });
  const server = createServer((req, res) => {
    context.run(String(req.headers['x-case']), () => {
      app(req, res);
    });
  });
  const { client, close } = await listen(server);
  let count = 0;
  return {
    client,
    close,
    expect({ operation, meaning, midStream }) {
      const label = String(count++);
      return {
        label,
        problemsOf({ text }) {
          const got = received.get(label);
          received.delete(label);
          const problems = faults
            .splice(0)
            .map((fault) => `a fault: ${JSON.stringify(fault)} ${String(fault.error)}`);
          if (midStream !== undefined)
            return [...problems, ...problemsMidStream(midStream, got, text)];
          if (operation === undefined || meaning === undefined) {
            return got === undefined ? problems : [...problems, 'the handler was called'];
          }
          if (got === undefined) return [...problems, 'the handler was not called'];
          return [
            ...problems,
            ...lostOnTheWay(valuesOf(contract).schemas, operation, meaning, got),
          ];
        },
      };
    },
  };
}

/** An item that is broken is named, and reaches no handler, but all before it do. */
function problemsMidStream(
  { item }: NonNullable<Case['midStream']>,
  got: Received | undefined,
  answer: string,
): string[] {
  if (item === undefined) return [];
  const count = Array.isArray(got?.body) ? got.body.length : undefined;
  return [
    ...(count === item ? [] : [`the handler got ${count ?? 'no'} items instead of ${item}`]),
    ...(new RegExp(`body /${item}\\b`).test(answer) ? [] : [`does not name /body/${item}`]),
  ];
}

/**
 * A body of bytes, or a file, comes as a stream, which must be read for the connection to go on.
 * @param items gets those of a body of items, one by one
 */
async function readWhole(body: unknown, items: unknown[] = []): Promise<unknown> {
  if (typeof body !== 'object' || body === null) return body;
  if ('stream' in body) return String(await readWhole(body.stream));
  if (Array.isArray(body)) return Promise.all(body.map((part) => readWhole(part)));
  if (!(Symbol.asyncIterator in body)) return readForm(body);
  for await (const item of body as AsyncIterable<unknown>) items.push(item);
  const isOfBytes = (parts: unknown[]): parts is Uint8Array[] =>
    parts.every((part) => part instanceof Uint8Array);
  // Nothing at all is no bytes: a sequence that a client sends has an item.
  return isOfBytes(items) ? Buffer.concat(items) : items;
}

/** A form with the texts of its files. */
async function readForm(body: object): Promise<object> {
  const members = Object.entries(body).map(async ([name, member]: [string, unknown]) => [
    name,
    await readWhole(member),
  ]);
  return Object.fromEntries((await Promise.all(members)) as [string, unknown][]);
}

function sampleAnswers({ responses, operationId }: Operation, values: Values): Answer[] {
  const answers = [...responses]
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([status, declared]) =>
      answersOf(Number(status.replaceAll('X', '0')), declared, values),
    );
  if (answers.length === 0) throw new Error(`${operationId} declares no success`);
  const samples = answers.map((one) => fc.sample(one, { numRuns: ANSWERS, seed: 1 }));
  return Array.from({ length: ANSWERS }, (_, index) =>
    samples.flatMap((sample) => sample.slice(index, index + 1)),
  ).flat();
}
