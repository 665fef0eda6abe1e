import { format, rowsPerSecond } from '../progress.js';
import type { Pass } from './copy-missing.js';

/** A line of what one pass has done. */
export function describe({ source, copied }: Pass, count: number, seconds: number): string {
  const rate = `${seconds.toFixed(1)} s, ${format(rowsPerSecond(source.count, seconds * 1000))} plants per second`;
  return `pass ${count}: ${format(source.count)} plants compared, ${format(copied)} of them copied; ${rate}`;
}

/** Whether the last pass found the two stores to be the same, and what to do next. */
export function conclude(pass: Pass, seconds: number): { isSame: boolean; text: string } {
  const { source, target, copied, different, extra, examples } = pass;
  const again = `stop the service, run this command again, which takes about ${Math.ceil(seconds)} s, and start
the service with the target as its DATABASE_URL`;
  const findings: string[] = [];
  if (different > 0) {
    findings.push(
      `different, and left as they are in the target: ${format(different)}, such as ${examples.join(', ')}`,
    );
  }
  if (extra > 0) findings.push(`in the target alone: ${format(extra)}`);
  if (copied > 0) findings.push(`new in the source, and copied: ${format(copied)}`);
  if (findings.length > 0) {
    const next = copied > 0 ? `\nNext: ${again}.` : '';
    return {
      isSame: false,
      text: `the stores are not the same:\n  ${findings.join('\n  ')}${next}`,
    };
  }
  return {
    isSame: source.sha256 === target.sha256,
    text: `both stores have the same ${format(source.count)} plants:
  source  SHA-256 ${source.sha256}
  target  SHA-256 ${target.sha256}
Next: where the service still runs on the source, ${again}; where it was stopped before, start it so.`,
  };
}
