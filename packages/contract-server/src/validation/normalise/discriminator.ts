import { isObject } from '../../document/document.js';
import { defaultBranch, discriminatedBy, discriminatorValues } from '../../schema/discriminator.js';
import { listOf } from '../../schema/traversal.js';
import type { Rule, SchemaDraft } from './rule.js';

/**
 * OpenAPI 3.1 §4.8.25: the discriminator's value says which of the branches judges. Written as plain
 * JSON Schema, so that it holds wherever it stands, and so that only that branch's problems are told.
 */
export const discriminate: Rule = (schema, draft, { document, warn }) => {
  if (!isObject(schema.discriminator)) return;
  const { propertyName } = schema.discriminator;
  const keyword = ['oneOf', 'anyOf'].find((name) => Array.isArray(schema[name]));
  if (typeof propertyName !== 'string' || keyword === undefined) {
    warn('discriminator without oneOf or anyOf: a value is judged by this schema alone');
    return;
  }
  const { discriminator } = schema;
  const declared = listOf(schema[keyword]);
  const values = discriminatorValues(document, discriminator, declared);
  const otherwise = defaultBranch(document, discriminator, declared);
  if (values === undefined || (discriminator.defaultMapping !== undefined && otherwise === -1)) {
    warn(
      `discriminator with inline branches or a mapping to none of them: ${keyword} alone judges`,
    );
    return;
  }
  const branches = draft[keyword] as SchemaDraft[];
  Reflect.deleteProperty(draft, keyword);
  const named = values.filter((_own, index) => index !== otherwise).flat();
  const discriminated = [
    otherwise === -1
      ? discriminatedBy(propertyName, named)
      : { if: discriminatedBy(propertyName, named), else: branches[otherwise] },
    ...branches.flatMap((branch, index) => {
      const own = index === otherwise ? [] : (values[index] ?? []);
      return own.length === 0 ? [] : [{ if: discriminatedBy(propertyName, own), then: branch }];
    }),
  ];
  const hasNull = values.some((own) => own.length === 0);
  draft.allOf = [
    ...listOf(draft.allOf),
    ...(hasNull
      ? [{ type: ['object', 'null'], if: { type: 'object' }, then: { allOf: discriminated } }]
      : discriminated),
  ];
};
