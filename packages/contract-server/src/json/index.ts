/** JSON without loss: exact integers, no member that occurs twice, no half of a surrogate pair. */
export { JsonError, type JsonValue } from './json-value.js';
export { parseJson, writeJson } from './json.js';
export { pointer, stepsOf } from './pointer.js';
