import type { Field } from '../operation/operation.js';
import type { Shape } from './parameter-shape.js';

/** To which parameter each name in a query belongs. */
export interface QueryNames {
  readonly owners: ReadonlyMap<string, Field>;
  /** By what stands before the first bracket. */
  readonly deepObjects: ReadonlyMap<string, Field>;
  /** In style form, the members of an exploded object are names of their own. */
  readonly members: ReadonlyMap<string, Field>;
  /** The object that takes every name that belongs to nothing else. */
  readonly others: Field | undefined;
}

/** `report` gets what would make a name belong to two parameters, or to a style that has no form. */
export function createQueryNames(
  parameters: readonly Field[],
  shapeOf: (field: Field) => Shape,
  report: (field: Field, problem: string) => void,
): QueryNames {
  const owners = new Map<string, Field>();
  const deepObjects = new Map<string, Field>();
  const exploded: Field[] = [];
  for (const parameter of parameters) {
    const { name, style, explode, mediaType } = parameter;
    const { isArray, isObject, isScalar } = shapeOf(parameter);
    // Its own name is nowhere in the query, unless it may be something other than an object.
    let hasOwnName = true;
    if (mediaType === undefined && style === 'deepObject') {
      deepObjects.set(name, parameter);
      if (!isObject && !isArray) report(parameter, 'style deepObject needs a schema of an object');
    } else if (mediaType === undefined && explode && isObject) {
      exploded.push(parameter);
      if (style !== 'form') report(parameter, `style ${style} has no form for an exploded object`);
      hasOwnName = isArray || isScalar;
    }
    if (hasOwnName) owners.set(name, parameter);
  }
  const members = findMembers(exploded, shapeOf, owners, report);
  return { owners, deepObjects, members, others: findOthers(exploded, shapeOf, report) };
}

function findMembers(
  exploded: readonly Field[],
  shapeOf: (field: Field) => Shape,
  owners: ReadonlyMap<string, Field>,
  report: (field: Field, problem: string) => void,
): Map<string, Field> {
  const members = new Map<string, Field>();
  for (const parameter of exploded) {
    for (const name of shapeOf(parameter).members.keys()) {
      const other = owners.get(name) ?? members.get(name);
      if (other !== undefined && other !== parameter) {
        report(parameter, `its member ${name} can't be told from ${describe(other)}`);
      }
      members.set(name, parameter);
    }
  }
  return members;
}

/**
 * Of several objects that might take the names that nothing declares, the one that says so does; where
 * none says so they are refused, as they are where there is no such object.
 */
function findOthers(
  exploded: readonly Field[],
  shapeOf: (field: Field) => Shape,
  report: (field: Field, problem: string) => void,
): Field | undefined {
  const open = exploded.filter((parameter) => shapeOf(parameter).isOpen !== false);
  if (open.length < 2) return open[0];
  const [first, second] = open.filter((parameter) => shapeOf(parameter).isOpen === true);
  if (first !== undefined && second !== undefined) {
    report(second, `its other members can't be told from those of ${describe(first)}`);
  }
  return first;
}

function describe({ in: location, name }: Field): string {
  return location === 'body' ? `field ${name}` : `parameter ${name} in ${location}`;
}
