import { createContractApp, type AppOptions, type ContractDocument } from 'contract-server';
import type { Principal } from 'contract-server/auth';
import { contractDigest, type operations } from '../generated/openapi.js';
import { createStrategies, type Verifiers } from './auth/strategies.js';
import { errorBody } from './error-body.js';
import { createHandlers } from './handlers.js';

type ServiceOptions = AppOptions<operations, Principal>;

export interface AppDeps
  extends Verifiers, Pick<ServiceOptions, 'config' | 'logger' | 'isLeaving' | 'isStopping'> {
  readonly contract: ContractDocument;
}

/**
 * The whole service as an express app, which never listens.
 * @throws ContractError where contract, handlers and strategies don't fit each other
 */
export function createApp({ contract, verifyToken, verifyBearer, ...rest }: AppDeps) {
  return createContractApp<operations, Principal>({
    ...rest,
    document: contract,
    contractDigest,
    handlers: createHandlers(contract),
    strategies: createStrategies({ verifyToken, verifyBearer }),
    errorBody,
    realm: 'service-name',
  });
}
