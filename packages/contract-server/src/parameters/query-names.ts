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
    const { isArray, isObject, isScalar } = shapeOf(parameter);
    const isStyled = parameter.mediaType === undefined;
    if (isStyled && parameter.style === 'deepObject') {
      deepObjects.set(parameter.name, parameter);
      if (!isObject && !isArray) report(parameter, 'style deepObject needs a schema of an object');
    }
    if (isStyled && parameter.explode && isObject && parameter.style !== 'deepObject') {
      exploded.push(parameter);
      if (parameter.style !== 'form') {
        report(parameter, `style ${parameter.style} has no form for an exploded object`);
      }
      // Its own name is nowhere in the query, unless it may be something other than an object.
      if (!isArray && !isScalar) continue;
    }
    owners.set(parameter.name, parameter);
  }
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
  return { owners, deepObjects, members, others: findOthers(exploded, shapeOf, report) };
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
