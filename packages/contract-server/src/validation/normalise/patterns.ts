import { isObject } from '../../document/document.js';
import { unicodePattern } from '../../schema/patterns.js';
import type { Rule } from './rule.js';

/** ECMA-262 is the dialect (OpenAPI 3.1 §4.8.24); the validator compiles it with the `u` flag. */
export const unicodePatterns: Rule = (_schema, draft, { warn }) => {
  if (typeof draft.pattern === 'string') {
    const pattern = unicodePattern(draft.pattern);
    if (pattern === undefined) {
      warn(`pattern ${draft.pattern} is not an ECMA-262 pattern, and is not checked`);
      Reflect.deleteProperty(draft, 'pattern');
    } else {
      draft.pattern = pattern;
    }
  }
  if (!isObject(draft.patternProperties)) return;
  const patternProperties: Record<string, unknown> = {};
  for (const [source, schema] of Object.entries(draft.patternProperties)) {
    const pattern = unicodePattern(source);
    if (pattern === undefined) {
      warn(`pattern ${source} is not an ECMA-262 pattern, and what it names is not checked`);
    } else {
      patternProperties[pattern] = schema;
    }
  }
  draft.patternProperties = patternProperties;
};
