import type { Express } from 'express';
import {
  createContractApp,
  parseContract,
  type ApiError,
  type AppOptions,
  type ContractDocument,
} from '../../src/index.js';
import type { AnyHandlers } from './fixture.js';

type Options = AppOptions<Record<string, never>, unknown>;

/** A fixture contract as a whole app, as a service has it. */
export async function createFixtureApp(
  contract: object | ContractDocument,
  handlers: AnyHandlers,
  {
    config,
    ...overrides
  }: Partial<Omit<Options, 'config'>> & { config?: Partial<Options['config']> },
): Promise<Express> {
  return createContractApp<Record<string, never>, unknown>({
    document: 'root' in contract ? contract : await parseContract(contract),
    handlers,
    strategies: {},
    errorBody: ({ code, message }: ApiError) => ({ error: code, message }),
    ...overrides,
    config: {
      basePath: '',
      maxBodyBytes: 10_000,
      requestTimeoutMs: 10_000,
      trustProxy: false,
      ...config,
    },
  });
}
