import {
  isObject,
  isReference,
  type ContractDocument,
  type Schema,
} from '../../document/document.js';
import type { Rule, SchemaDraft } from './rule.js';

/**
 * OpenAPI 3.1 §4.8.25: the discriminator's value says which of the branches judges. Written as plain
 * JSON Schema, so that it holds wherever it stands, and so that only that branch's problems are told.
 */
export const discriminate: Rule = (schema, draft, { document, note }) => {
  if (!isObject(schema.discriminator)) return;
  const { propertyName } = schema.discriminator;
  const keyword = ['oneOf', 'anyOf'].find((name) => Array.isArray(schema[name]));
  if (typeof propertyName !== 'string' || keyword === undefined) {
    note('discriminator without oneOf or anyOf: a value is judged by this schema alone');
    return;
  }
  const names = namesOfBranches(document, schema, schema[keyword] as unknown[]);
  if (names === undefined) {
    note(
      `discriminator with inline branches or a mapping to none of them: ${keyword} alone judges`,
    );
    return;
  }
  const branches = draft[keyword] as SchemaDraft[];
  Reflect.deleteProperty(draft, keyword);
  draft.allOf = [
    ...(Array.isArray(draft.allOf) ? (draft.allOf as unknown[]) : []),
    named(propertyName, names.flat()),
    ...branches.map((branch, index) => ({
      if: named(propertyName, names[index] ?? []),
      then: branch,
    })),
  ];
};

function named(propertyName: string, names: readonly string[]): SchemaDraft {
  return {
    type: 'object',
    required: [propertyName],
    properties: { [propertyName]: { enum: names } },
  };
}

/**
 * The values that stand for each branch: those that the mapping gives it, or else its own name.
 * Undefined where a branch has none, or the mapping leads to none of the branches.
 */
function namesOfBranches(
  document: ContractDocument,
  schema: Schema,
  branches: readonly unknown[],
): string[][] | undefined {
  if (!branches.every(isReference)) return undefined;
  const { mapping = {} } = schema.discriminator as { mapping?: Readonly<Record<string, string>> };
  const targets = branches.map(({ $ref }) => document.lookUp($ref));
  const names = branches.map((): string[] => []);
  for (const [name, value] of Object.entries(mapping)) {
    const found = targets.indexOf(document.find(toReference(value)));
    if (found === -1) return undefined;
    names[found]?.push(name);
  }
  return names.map((mapped, index) =>
    mapped.length > 0 ? mapped : [branches[index]?.$ref.split('/').at(-1) ?? ''],
  );
}

/** A mapping's value is a reference, or a schema's name. */
function toReference(value: string): string {
  return /^[\w.-]+$/.test(value) ? `#/components/schemas/${value}` : value;
}
