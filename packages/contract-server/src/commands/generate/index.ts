export { contractTypes } from './contract-types.js';
export type { FormatType, FormatTypes } from './format-types.js';
export { areTypesOf, writeTypes } from './types-file.js';
