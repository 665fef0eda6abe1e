/** V8 makes a slow object of `Object.create(null)`, and a fast one of what `new` makes. */
const EmptyRecord = function () {
  // Has nothing.
} as unknown as new () => Record<string, never>;
EmptyRecord.prototype = Object.create(null) as object;

/** An object in which `__proto__` and `constructor` are names like any other. */
export function createRecord<Value>(): Record<string, Value> {
  return new EmptyRecord();
}
