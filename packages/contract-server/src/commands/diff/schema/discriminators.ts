import { isObject, isReference } from '../../../document/document.js';
import { branchConstants, discriminatorValues } from '../../../schema/discriminator.js';
import { alternativesOf } from '../../../schema/traversal.js';
import type { Located } from '../change/place.js';
import { compareConstraints } from './constraints.js';
import type { FlatSchema } from './flat-schema.js';
import { isSameStructure } from './same-structure.js';

interface Discriminator {
  readonly propertyName: string;
  readonly branches: number;
  /** What each of its values stands for; nothing where no value stands for a branch. */
  readonly values: ReadonlyMap<string, Located>;
}

/**
 * What a discriminator has its property be. One whose branches say so themselves, each with a `const`, adds
 * nothing to them.
 */
export const compareDiscriminators = compareConstraints<Discriminator>({
  keyword: 'discriminator',
  types: ['object'],
  read: discriminatorsOf,
  implies,
  show: ({ propertyName, values }) => [propertyName, ...values.keys()].join(' '),
});

function discriminatorsOf({ atoms, of: { document } }: FlatSchema): Discriminator[] {
  return atoms.flatMap((atom) => {
    const { discriminator } = atom;
    if (!isObject(discriminator)) return [];
    const propertyName = String(discriminator.propertyName);
    const branches = alternativesOf(document, atom).flat();
    if (branches.length > 0 && branchConstants(document, propertyName, branches)) return [];
    const values = discriminatorValues(document, discriminator, branches) ?? [];
    return {
      propertyName,
      branches: branches.length,
      values: new Map(
        values.flatMap((all, index) =>
          all.map((value) => [value, { document, value: branches[index] }] as const),
        ),
      ),
    };
  });
}

/** A branch that comes or goes takes its value along: that is a change of the alternatives. */
function implies(stronger: Discriminator, weaker: Discriminator): boolean {
  if (stronger.propertyName !== weaker.propertyName) return false;
  const missing = [...stronger.values.keys()].filter((value) => !weaker.values.has(value));
  if (missing.length > Math.max(0, stronger.branches - weaker.branches)) return false;
  return [...stronger.values].every(([value, branch]) => {
    const other = weaker.values.get(value);
    return other === undefined || isSameBranch(branch, other);
  });
}

function isSameBranch(one: Located, other: Located): boolean {
  const isSameName =
    isReference(one.value) && isReference(other.value) && one.value.$ref === other.value.$ref;
  return isSameName || isSameStructure(one, other);
}
