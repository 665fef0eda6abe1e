import { isObject, type ContractDocument, type Schema } from '../document/document.js';
import type { Problem } from '../exchange/api-error.js';
import { stepsOf } from '../json/pointer.js';
import type { ReceivedRequest } from '../message/request.js';
import { requestSchema } from '../operation/message-schema.js';
import { formKindOf } from '../operation/media-type.js';
import type { Operation } from '../operation/operation.js';
import { discriminatorValues } from '../schema/discriminator.js';
import { alternativesOf, appliedSchemas, listOf } from '../schema/traversal.js';

/** Adds to the problems of a request what would be right, where the validator's words don't say it. */
export type Explain = (
  problems: readonly Problem[],
  request: ReceivedRequest,
  /** As it was sent. */
  target: string,
) => readonly Problem[];

export function createExplain(document: ContractDocument, operation: Operation): Explain {
  return (problems, { value, mediaType }, target) =>
    problems.map((problem) => {
      const steps = stepsOf(problem.pointer);
      if (problem.keyword === 'required') {
        const kinds = kindsAt(document, requestSchema(document, operation, mediaType), steps);
        if (kinds.length === 0) return problem;
        return { ...problem, message: `${problem.message}, one of: ${kinds.join(', ')}` };
      }
      const found = valueAt(value, steps);
      const isSpaced = typeof found === 'string' && found.includes(' ');
      const isLexical = ['format', 'pattern', 'type'].includes(problem.keyword ?? '');
      const where = isSpaced && isLexical ? plusIsSpaceIn(steps[0], target, mediaType) : undefined;
      if (where === undefined) return problem;
      const hint = `it has a space, for which + stands in a ${where}; write + as %2B`;
      return { ...problem, message: `${problem.message}; ${hint}` };
    });
}

/** Where a plus stands for a space, which many forget: in application/x-www-form-urlencoded. */
function plusIsSpaceIn(
  part: string | undefined,
  target: string,
  mediaType: string | undefined,
): 'query' | 'form' | undefined {
  if (part === 'query' && target.includes('+')) return 'query';
  const isForm = part === 'body' && formKindOf(mediaType ?? '') === 'urlencoded';
  return isForm ? 'form' : undefined;
}

/** The values that a discriminator may have, where the steps lead to one. */
function kindsAt(document: ContractDocument, root: unknown, steps: readonly string[]): string[] {
  const name = steps.at(-1);
  let applied = appliedSchemas(document, root);
  for (const step of steps.slice(0, -1)) {
    const inner = new Set(applied.flatMap((schema) => schemasAt(schema, step)));
    applied = [...inner].flatMap((schema) => appliedSchemas(document, schema));
  }
  const values = applied.flatMap((schema) => {
    const { discriminator } = schema;
    if (!isObject(discriminator) || discriminator.propertyName !== name) return [];
    const branches = alternativesOf(document, schema).flat();
    return discriminatorValues(document, discriminator, branches)?.flat() ?? [];
  });
  return [...new Set(values)];
}

/** What a schema says of the member, or the item, that a step leads to. */
function schemasAt(
  { properties, additionalProperties, prefixItems, items }: Schema,
  step: string,
): unknown[] {
  if (isObject(properties) && Object.hasOwn(properties, step)) return [properties[step]];
  return [listOf(prefixItems)[Number(step)] ?? items, additionalProperties];
}

function valueAt(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>(
    (part, step) =>
      typeof part === 'object' && part !== null && Object.hasOwn(part, step)
        ? Reflect.get(part, step)
        : undefined,
    value,
  );
}
