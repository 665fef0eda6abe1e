import { groupBy, type Change, type OperationEffect } from './change/change.js';
import { isNewMajor, nextMajor } from './version.js';

/** What two contracts are called, and their versions. */
export interface Compared {
  readonly oldName: string;
  readonly oldVersion: string;
  readonly newVersion: string;
}

/** How many operations a line names; it counts the others. */
const NAMED_OPERATIONS = 3;

/** Whether clients break that have not been told by a new major version. */
export function isRefused(changes: readonly Change[], { oldVersion, newVersion }: Compared) {
  return changes.some(({ breaks }) => breaks) && !isNewMajor(oldVersion, newVersion);
}

/** A line for each change, those that break clients first, and a summary. */
export function report(changes: readonly Change[], compared: Compared): string {
  const sorted = [...changes].sort((a, b) => Number(b.breaks) - Number(a.breaks));
  return [...sorted.map(lineOf), summarise(changes, compared)].join('\n');
}

function lineOf({ breaks, definition, what, effects }: Change): string {
  const verdict = (breaks ? 'breaks' : 'compatible').padEnd('compatible'.length);
  if (definition !== undefined) {
    return `${verdict}  ${definition}  ${what}: ${reachOf(effects)}`;
  }
  const { operation, location, why } = effects[0];
  const route = operation.route === '' ? '' : `${operation.route}  `;
  return `${verdict}  ${route}${location}: ${what}: ${why}`;
}

/** What a change of something shared does, and where: each of its verdicts with the operations it is for. */
function reachOf(effects: readonly OperationEffect[]): string {
  const sorted = [...effects].sort((a, b) => Number(b.breaks) - Number(a.breaks));
  const areMixed = new Set(effects.map(({ breaks }) => breaks)).size > 1;
  return groupBy(sorted, ({ direction, breaks, why }) => `${direction} ${breaks} ${why}`)
    .map((alike) => {
      const [{ breaks, direction, why }] = alike;
      const verdict = breaks ? 'breaks ' : 'compatible ';
      const messages = direction === undefined ? 'for' : `in ${direction}s of`;
      return `${areMixed ? verdict : ''}${messages} ${listOperations(alike)}: ${why}`;
    })
    .join('; ');
}

function listOperations(effects: readonly OperationEffect[]): string {
  const ids = [...new Set(effects.map(({ operation: { operationId } }) => operationId))];
  const named = ids.slice(0, NAMED_OPERATIONS);
  const more = ids.length > named.length ? [...named, '…'] : named;
  return `${ids.length} ${ids.length === 1 ? 'operation' : 'operations'} (${more.join(', ')})`;
}

function summarise(changes: readonly Change[], compared: Compared): string {
  const { oldName, oldVersion, newVersion } = compared;
  if (changes.length === 0) return `nothing that clients could notice has changed since ${oldName}`;
  const breaking = changes.filter(({ breaks }) => breaks).length;
  const noun = changes.length === 1 ? 'change' : 'changes';
  const count = `${changes.length} ${noun} since ${oldName}, ${breaking} breaking`;
  if (breaking === 0) return count;
  if (!isRefused(changes, compared)) {
    return `${count}, which the new major version says: ${oldVersion} -> ${newVersion}`;
  }
  const must = nextMajor(oldVersion) ?? 'a new major';
  return `${count}: undo what breaks, or let info.version grow from ${oldVersion} to ${must}; it is ${newVersion}`;
}
