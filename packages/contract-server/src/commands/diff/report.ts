import type { Change } from './schema/change.js';
import { isNewMajor, nextMajor } from './version.js';

/** What two contracts are called, and their versions. */
export interface Compared {
  readonly oldName: string;
  readonly oldVersion: string;
  readonly newVersion: string;
}

/** Whether clients break that have not been told by a new major version. */
export function isRefused(changes: readonly Change[], { oldVersion, newVersion }: Compared) {
  return changes.some(({ breaks }) => breaks) && !isNewMajor(oldVersion, newVersion);
}

/** A line for each change, those that break clients first, and a summary. */
export function report(changes: readonly Change[], compared: Compared): string {
  const sorted = [...changes].sort((a, b) => Number(b.breaks) - Number(a.breaks));
  const width = Math.max(0, ...changes.map(({ operation }) => operation.length));
  return [
    ...sorted.map(({ breaks, operation, location, what, why }) =>
      [
        (breaks ? 'breaks' : 'compatible').padEnd('compatible'.length),
        operation.padEnd(width),
        `${location}: ${what}: ${why}`,
      ].join('  '),
    ),
    summarise(changes, compared),
  ].join('\n');
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
