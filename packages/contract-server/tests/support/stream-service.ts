import { listen } from 'contract-testing/generate';
import { createHttpServer, OpenStreams, type ContractOptions } from '../../src/index.js';
import { contractOf, engineResponses, serveFixture, type Fixture } from './fixture.js';

export interface StreamService extends Fixture {
  readonly url: string;
  readonly streams: OpenStreams;
  close(): Promise<void>;
}

export interface StreamServiceOptions {
  /** Of the operation's response 200; what else it may have comes from `operation`. */
  readonly content?: object;
  readonly operation?: object;
  readonly schemas?: object;
  readonly streams?: OpenStreams;
  readonly maxRequestsInFlight?: number;
  readonly overrides?: Partial<ContractOptions<Record<string, never>, unknown>>;
}

export interface StreamRequest {
  readonly body: AsyncIterable<unknown>;
  readonly signal: AbortSignal;
  readonly headers: Readonly<Record<string, string>>;
}

/** Serves one operation, GET and POST /items, behind the real HTTP server on a free port. */
export async function serveStream(
  handler: (request: StreamRequest) => unknown,
  {
    content,
    operation = {},
    schemas = {},
    streams = new OpenStreams(),
    maxRequestsInFlight = 1000,
    overrides = {},
  }: StreamServiceOptions,
): Promise<StreamService> {
  const responses = {
    // One for all that the engine refuses: each response costs a contract time to build.
    default: engineResponses['400'],
    '200': { description: 'Items.', ...(content !== undefined && { content }) },
  };
  const method = 'requestBody' in operation ? 'post' : 'get';
  const contract = contractOf(
    { '/items': { [method]: { operationId: 'items', responses, ...operation } } },
    { components: { schemas } },
  );
  const handlers = { items: handler as (request: unknown) => unknown };
  const fixture = await serveFixture(contract, handlers, { streams, ...overrides });
  const server = createHttpServer(fixture.app, {
    requestTimeoutMs: 10_000,
    streams,
    overload: { maxRequestsInFlight, alwaysServed: [], onOverload: () => undefined },
    errorBody: ({ code, message }) => ({ error: code, message }),
    onRefused: () => undefined,
  });
  const { url, close } = await listen(server);
  return { ...fixture, url: `${url}/items`, streams, close };
}
