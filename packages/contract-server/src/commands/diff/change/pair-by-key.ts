/** What two maps have under one key. */
export interface KeyedPair<Value> {
  readonly key: string;
  readonly was: Value | undefined;
  readonly is: Value | undefined;
}

/** Each key that either map has, in their order. */
export function pairByKey<Value>(
  before: ReadonlyMap<string, Value>,
  after: ReadonlyMap<string, Value>,
): KeyedPair<Value>[] {
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].map((key) => ({ key, was: before.get(key), is: after.get(key) }));
}
