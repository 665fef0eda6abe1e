import { isObject, isReference, type ContractDocument, type Schema } from '../document/document.js';
import { conjunctsOf } from './traversal.js';
import { constantsOf, typesOf } from './types.js';

/**
 * The values of a discriminator that stand for each of these branches: those that the branch itself
 * admits, where every branch names its own; or else those that its mapping gives a branch, or the
 * branch's own name (OpenAPI 3.1 §4.8.25). None stand for a branch of `null` alone, by which 3.1 says "or
 * null". Undefined where a branch has no name, or the mapping leads to none of the branches.
 */
export function discriminatorValues(
  document: ContractDocument,
  discriminator: Schema,
  branches: readonly unknown[],
): readonly (readonly string[])[] | undefined {
  const objects = branches.filter((branch) => !admitsOnlyNull(document, branch));
  const values =
    branchConstants(document, String(discriminator.propertyName), objects) ??
    mappedValues(document, discriminator, objects);
  return values && branches.map((branch) => values[objects.indexOf(branch)] ?? []);
}

/**
 * Which branch judges a value that none of a discriminator's values leads elsewhere (OpenAPI 3.2.0 §4.25.1
 * `defaultMapping`); -1 where there is none.
 */
export function defaultBranch(
  document: ContractDocument,
  { defaultMapping }: Schema,
  branches: readonly unknown[],
): number {
  if (typeof defaultMapping !== 'string') return -1;
  const target = document.find(toReference(defaultMapping));
  return branches.findIndex(
    (branch) => isReference(branch) && document.find(branch.$ref) === target,
  );
}

function admitsOnlyNull(document: ContractDocument, branch: unknown): boolean {
  const types = typesOf(document, branch);
  return types?.size === 1 && types.has('null');
}

function mappedValues(
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

/**
 * The texts that each branch's own `const` or `enum` of the property leaves, which no mapping could
 * widen. Undefined where a branch has none, or shares one with another.
 */
export function branchConstants(
  document: ContractDocument,
  propertyName: string,
  branches: readonly unknown[],
): readonly (readonly string[])[] | undefined {
  const lists = branches.map((branch) => {
    const members = conjunctsOf(document, branch).flatMap(({ properties }) =>
      isObject(properties) && Object.hasOwn(properties, propertyName)
        ? conjunctsOf(document, properties[propertyName])
        : [],
    );
    const constants = constantsOf(members) ?? [];
    return constants.filter((value) => typeof value === 'string');
  });
  const all = lists.flat();
  const areDistinct = new Set(all).size === all.length;
  return areDistinct && lists.every((list) => list.length > 0) ? lists : undefined;
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
