import { createContractApp, type AppOptions } from '../service/app.js';
import { listOperations } from '../operation/operation.js';
import { mockErrorBody } from './mock-error-body.js';
import { mockHandlers } from './mock-handler.js';
import { mockStrategies } from './mock-strategies.js';

type OwnOptions = Pick<
  AppOptions<object, unknown>,
  'document' | 'config' | 'logger' | 'isStopping'
>;

export interface MockOptions extends OwnOptions {
  /** Handlers that are written already, by operationId. */
  readonly handlers?: Readonly<Record<string, unknown>>;
}

/**
 * Serves a contract from its examples and made values through the whole engine; an operation that has
 * a handler is answered by it. The contract is served as it was published: what the engine can't serve
 * of it answers with 501, and errors that it doesn't declare are sent all the same.
 * @throws ContractError where the contract can't be served
 */
export async function createMockApp({ document, handlers = {}, ...options }: MockOptions) {
  return createContractApp<object, unknown>({
    ...options,
    document,
    handlers: { ...mockHandlers(document), ...handlers },
    strategies: mockStrategies(document, listOperations(document)),
    errorBody: mockErrorBody({ document }),
    asPublished: true,
  });
}
