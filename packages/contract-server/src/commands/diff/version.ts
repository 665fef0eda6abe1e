import { isObject, type ContractDocument } from '../../document/document.js';

/** The contract's own version, `info.version`. */
export function versionOf({ root: { info } }: ContractDocument): string {
  return isObject(info) ? String(info.version) : '';
}

/** Whether clients have been told that what they do may no longer work (Semantic Versioning §8). */
export function isNewMajor(old: string, now: string): boolean {
  return majorOf(now) > majorOf(old); // false where either has none
}

/** The least version that may break clients; undefined where versions aren't numbers. */
export function nextMajor(version: string): string | undefined {
  const major = majorOf(version);
  return Number.isNaN(major) ? undefined : `${major + 1}.0.0`;
}

function majorOf(version: string): number {
  return Number(/^v?(\d+)(?:\.|$)/.exec(version)?.[1] ?? NaN);
}
