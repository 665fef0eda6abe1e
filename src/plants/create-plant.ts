import type { Handler, Result } from '../api.js';
import { ApiError } from 'contract-server';
import {
  StoreBusyError,
  StoreUncertainError,
  StoreUnavailableError,
  type CreateResult,
  type PlantStore,
} from './plant-store.js';

/** What creating a plant refuses, beside the engine's own codes. Never reuse a number. */
export const PlantCode = {
  idTaken: 40901,
  storeDown: 50302,
  storeBusy: 50303,
  storeUncertain: 50305,
} as const;

const RETRY_AFTER_S = '1';

/** Answers `createPlant`: stores the plant, unless its id belongs to another one. */
export function createPlantHandler(store: PlantStore): Handler<'createPlant'> {
  return async ({ body, principal }): Promise<Result<'createPlant'>> => {
    const { id, name, tag } = body;
    const plant = tag === undefined ? { name } : { name, tag };
    let result: CreateResult;
    try {
      result = await store.create(body, principal.name);
    } catch (error) {
      throw refusalOf(error);
    }
    if (result !== 'conflict') return { status: 200, body: plant };
    return {
      status: 409,
      body: {
        error: PlantCode.idTaken,
        message: `the id ${id} belongs to another plant, which was left as it is`,
      },
    };
  };
}

function refusalOf(error: unknown): unknown {
  if (!(error instanceof StoreUnavailableError)) return error;
  const retryAfter = { 'Retry-After': RETRY_AFTER_S };
  if (error instanceof StoreBusyError)
    return new ApiError(
      PlantCode.storeBusy,
      'too much is waiting for the store; nothing was changed',
      retryAfter,
    );
  const [code, message] =
    error instanceof StoreUncertainError
      ? [
          PlantCode.storeUncertain,
          'the store did not say what became of this; it may have been stored, and repeating is safe',
        ]
      : [PlantCode.storeDown, 'the store cannot take this now; nothing was changed'];
  return new ApiError(code, message, retryAfter, { cause: error });
}
