export { contractTypes } from './contract-types.js';
export { areTypesOf, writeTypes } from './types-file.js';
