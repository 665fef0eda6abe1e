import type { Rule } from './rule.js';

/**
 * JSON Schema 2020-12 core §8.2.1: the references in a schema with an `$id` start from that. Ours
 * start from the document, which is where most contracts mean them to start.
 */
export const ignoreBaseUri: Rule = ({ $id }, _draft, { warn }) => {
  if (typeof $id === 'string') {
    warn(`$id ${$id} is ignored: references in the schema start from the document`);
  }
};
