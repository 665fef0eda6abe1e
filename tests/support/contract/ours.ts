// All that this folder knows of this project. Another project takes the folder, and says its own here.
export type { operations as OurOperations } from '../../../generated/openapi.js';

/** The contract that a client is for where it isn't told of another one. */
export const OUR_CONTRACT = new URL('../../../api/openapi.yaml', import.meta.url).pathname;

/** What our service answers beside its contract. */
export const OUR_OUTSIDE: readonly string[] = ['/healthz', '/readyz'];
