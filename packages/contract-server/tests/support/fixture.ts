import express, { type Express } from 'express';
import { Strategy } from 'passport-http-bearer';
import {
  parseContract,
  serveContract,
  type ApiError,
  type ContractOptions,
  type Fault,
} from '../../src/index.js';

/** A contract's handlers where the test, not the compiler, says what they return. */
export type AnyHandlers = Record<
  string,
  (request: { body: unknown; principal: unknown; principals: unknown }) => unknown
>;

export interface Fixture {
  readonly app: Express;
  /** What was reported for the log. */
  readonly faults: Fault[];
}

/** Serves a fixture contract by the engine alone: nothing of the plant store is in it. */
export async function serveFixture(
  contract: object,
  handlers: AnyHandlers,
  overrides: Partial<ContractOptions<Record<string, never>, unknown>> = {},
): Promise<Fixture> {
  const faults: Fault[] = [];
  const middleware = await serveContract({
    document: await parseContract(contract),
    handlers,
    strategies: {},
    limits: { maxBodyBytes: 10_000, requestTimeoutMs: 10_000 },
    errorBody: ({ code, message }: ApiError) => ({ error: code, message }),
    checkAvailable: () => undefined,
    onFault: (fault) => faults.push(fault),
    ...overrides,
  });
  const app = express().disable('x-powered-by').disable('etag');
  app.use(middleware.operations, middleware.checkRequest, middleware.notFound, middleware.onError);
  return { app, faults };
}

/** A bearer strategy that knows one token. */
export function oneToken(
  token: string,
): Strategy<(token: string, done: (error: unknown, user?: unknown) => void) => void> {
  return new Strategy({}, (given, done) => {
    done(null, given === token ? { name: 'someone' } : false);
  });
}

const errorResponse = {
  description: 'An error.',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['error', 'message'],
        properties: { error: { type: 'integer', format: 'int32' }, message: { type: 'string' } },
      },
    },
  },
};

/** Every status that the engine answers with by itself. */
export const engineResponses = Object.fromEntries(
  [400, 401, 406, 408, 413, 415, 500, 503].map((status) => [String(status), errorResponse]),
);

/** A contract with these operations, by path and method. */
export function contractOf(paths: object, rest: object = {}): object {
  return {
    openapi: '3.1.0',
    info: { title: 'a fixture', version: '1.0.0' },
    paths,
    'x-unmatched-responses': {
      '204': { description: 'Options.' },
      // One for all the others: each response costs a contract time to build.
      default: errorResponse,
    },
    ...rest,
  };
}
