import type { Express } from 'express';
import request from 'supertest';
import { contractOf, engineResponses, serveFixture } from './fixture.js';

/** What a handler gets of each kind of parameter, by declared names. */
export type Received = Record<
  'params' | 'query' | 'headers' | 'cookies',
  Record<string, unknown> | undefined
>;

export interface Sent {
  /** What follows `/a` in the request target: a path parameter's segment, or a query. */
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Service {
  readonly app: Express;
  /** Of the last request; empty where no handler got it. */
  received: Received[];
}

/** By contract: tests that differ only in what they send share one, which takes long to build. */
const services = new Map<string, Promise<Service>>();

/**
 * Serves one operation with these parameters, sends it a request, and returns what its handler got;
 * where the request was refused, the body of the refusal.
 */
export async function receive(
  parameters: readonly object[],
  { target = '', headers = {} }: Sent,
  rest: object = {},
): Promise<unknown> {
  const paths = parameters.flatMap((parameter) =>
    'in' in parameter && parameter.in === 'path' && 'name' in parameter
      ? [`/is{${String(parameter.name)}}`]
      : [],
  );
  const contract = contractOf(
    {
      [`/a${paths.join('')}`]: {
        get: {
          operationId: 'get',
          parameters,
          // One for all that the engine refuses: each response costs a contract time to build.
          responses: { '204': { description: 'Received.' }, default: engineResponses['400'] },
        },
      },
    },
    rest,
  );
  const key = JSON.stringify(contract);
  const starting = services.get(key) ?? serve(contract);
  services.set(key, starting);
  const service = await starting;
  service.received = [];

  const response = await request(service.app).get(`/a${target}`).set(headers);

  return service.received.at(0) ?? (response.body as unknown);
}

async function serve(contract: object): Promise<Service> {
  const handler = (given: object): object => {
    service.received.push(given as Received); // the part of a request that these tests are about
    return { status: 204 };
  };
  const { app } = await serveFixture(contract, { get: handler });
  const service: Service = { app, received: [] };
  return service;
}
