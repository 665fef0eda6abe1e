import type { PlantStore } from '../../src/plants/plant-store.js';

/** A store of which everything fails but that it can be closed. */
export function failingStore(error: Error): PlantStore {
  const fail = (): Promise<never> => Promise.reject(error);
  const calm = { flush: () => undefined, close: () => Promise.resolve() };
  // Whatever else a store can do, now or later.
  return new Proxy(calm, {
    get: (target, name): unknown => Reflect.get(target, name) ?? fail,
  }) as unknown as PlantStore;
}
