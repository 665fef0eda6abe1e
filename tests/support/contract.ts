import { fileURLToPath } from 'node:url';
import {
  contractClient,
  createCheck,
  type App,
  type Check,
  type ContractClient,
  type ContractClientOptions,
} from 'contract-testing';
import type { operations } from '../../generated/openapi.js';

export const CONTRACT_PATH = fileURLToPath(new URL('../../api/openapi.yaml', import.meta.url));

/** What the service answers beside its contract. */
const OUTSIDE = ['/healthz', '/readyz'];

export type PlantsClient = ContractClient<operations>;

/** A client of the plant store that holds every answer against the contract, and counts it. */
export function plantsClient(app: App, options: Partial<ContractClientOptions> = {}): PlantsClient {
  return contractClient<operations>(app, {
    contract: CONTRACT_PATH,
    outside: OUTSIDE,
    ...options,
  });
}

/** Judges and counts exchanges with the plant store that are made in another way. */
export function createPlantsCheck(basePath = ''): Check {
  return createCheck({ contract: CONTRACT_PATH, outside: OUTSIDE, basePath });
}
