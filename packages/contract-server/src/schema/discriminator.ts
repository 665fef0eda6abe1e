import { isObject, isReference, type ContractDocument, type Schema } from '../document/document.js';

/**
 * The values of a discriminator that stand for each of these branches: those that its mapping gives a
 * branch, or else the branch's own name (OpenAPI 3.1 §4.8.25). Undefined where a branch has no name, or
 * the mapping leads to none of the branches.
 */
export function discriminatorValues(
  document: ContractDocument,
  discriminator: Schema,
  branches: readonly unknown[],
): readonly (readonly string[])[] | undefined {
  if (!branches.every(isReference)) return undefined;
  const targets = branches.map(({ $ref }) => document.lookUp($ref));
  const values = branches.map((): string[] => []);
  const mapping = isObject(discriminator.mapping) ? discriminator.mapping : {};
  for (const [value, to] of Object.entries(mapping)) {
    const found = targets.indexOf(document.find(toReference(String(to))));
    if (found === -1) return undefined;
    values[found]?.push(value);
  }
  return values.map((mapped, index) =>
    mapped.length > 0 ? mapped : [branches[index]?.$ref.split('/').at(-1) ?? ''],
  );
}

/** The schema of an object whose discriminator has one of these values. */
export function discriminatedBy(propertyName: string, values: readonly string[]): Schema {
  return {
    type: 'object',
    required: [propertyName],
    properties: { [propertyName]: { enum: values } },
  };
}

/** A mapping's value is a reference, or a schema's name. */
function toReference(value: string): string {
  return /^[\w.-]+$/.test(value) ? `#/components/schemas/${value}` : value;
}
