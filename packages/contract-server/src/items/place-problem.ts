import type { Problem } from '../exchange/api-error.js';
import type { DeclaredItems } from '../operation/items.js';

/**
 * A problem of a validated item as one of the body that it is in: `/body/name` of the fourth item is at
 * `/body/3/name`. Of an event's data the text and its JSON are told as the one thing that they are.
 */
export function placeProblem(declared: DeclaredItems, index: number, problem: Problem): Problem {
  const place = problem.pointer.replace(/^\/body/, '');
  const [, part, rest = ''] = (declared.isJson && IN_DATA.exec(place)) ?? [];
  const isMissing = part === 'json' && rest === '' && problem.keyword === 'required';
  return {
    ...problem,
    ...(isMissing && { message: 'must be JSON' }),
    pointer: `/body/${index}${part === undefined ? place : `/data${rest}`}`,
  };
}

const IN_DATA = /^\/data\/(text|json)((?:\/.*)?)$/s;
