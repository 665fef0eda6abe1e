import { PROBES } from '../load/enforcement.js';
import { passTitle } from '../load/passes.js';
import type { Machine } from '../process/machine.js';
import type { BenchReport, ReportedContestant } from './bench-report.js';
import { showSpread, type Spread } from './spread.js';
import { FIGURES, type Summary } from './summary.js';
import { textTable } from './table.js';

/** Above this share of its processor the loader, too, held the server up. */
const BUSY_LOADER = 0.9;

/** Who enforces what, by the status that each answers with; `!` marks one that the contract hasn't. */
export function enforcementTable(contestants: readonly ReportedContestant[]): string {
  return textTable([
    ['', ...PROBES.map(({ title }) => title), 'contract violations it accepts'],
    ...contestants.map(({ name, statuses, lapses }) => [
      name,
      ...PROBES.map(({ title, right }) => {
        const status = statuses[title] ?? NaN;
        return status === right ? `${status}` : `${status} !`;
      }),
      lapses.join(', '),
    ]),
  ]);
}

/** All passes as one table: each figure, and what multiple of ours it is. */
export function resultTable({ passes, contestants }: BenchReport): string {
  const marked = new Map(
    contestants.map(({ name, lapses }) => [name, lapses.length > 0 ? `${name} *` : name]),
  );
  const byName = new Map(contestants.map((contestant) => [contestant.name, contestant]));
  return textTable([
    ['', ...FIGURES.map(({ title }) => `${title} = x ours`), 'ours is', 'must'],
    ...passes.flatMap((pass, index) => [
      [`${passTitle(pass)}:`],
      ...pass.summaries.map((summary) => [
        marked.get(summary.name) ?? summary.name,
        ...cellsOf(summary),
        summary.oursIs === undefined ? '' : `${showSpread(summary.oursIs, 2)} x`,
        index === 0 ? verdict(summary.oursIs, byName.get(summary.name)) : '',
      ]),
    ]),
  ]);
}

function cellsOf({ figures, ratios }: Summary): string[] {
  return FIGURES.map(({ key, digits }) => {
    const figure = figures[key].median.toFixed(digits);
    return ratios === undefined
      ? showSpread(figures[key], digits)
      : `${figure} = ${showSpread(ratios[key], 2)}`;
  });
}

function verdict(
  ratio: Spread | undefined,
  { must = 0, most = Infinity }: Pick<ReportedContestant, 'must' | 'most'> = {},
): string {
  if (ratio === undefined || (must === 0 && most === Infinity)) return '';
  const limit = must > 0 ? `${must} x` : `at most ${most} x`;
  return `${limit}: ${ratio.median >= must && ratio.median <= most ? 'met' : 'MISSED'}`;
}

export function machineLine({ node, processors, fsyncMs }: Machine): string {
  return `node ${node}, ${processors} processors, ${fsyncMs.toFixed(2)} ms per fsync`;
}

/** Names those that the loader itself held up, where throughput says little; empty where none is. */
export function loaderWarning({ passes }: BenchReport): string {
  return passes
    .map((pass) => {
      const held = pass.summaries.filter(({ loaderCpu }) => loaderCpu.median > BUSY_LOADER);
      const names = held.map(({ name }) => name).join(', ');
      return names && `${passTitle(pass)}: the loader was busy with ${names}: compare by CPU.\n`;
    })
    .join('');
}
