import { passTitle } from '../load/passes.js';
import { OURS } from '../process/contestants.js';
import type { BenchReport } from './bench-report.js';
import type { Spread } from './spread.js';
import { machineLine } from './text.js';
import { markdownTable } from './table.js';

/**
 * The table for the README: the first pass in full, of the others how many times theirs ours is.
 * @param beside another run, as on another version of Node: its first pass gets a column
 */
export function markdownReport(
  { machine, contestants, passes }: BenchReport,
  beside?: BenchReport,
): string {
  const [first, ...later] = passes;
  if (first === undefined) return '';
  const others = [...later, ...(beside?.passes.slice(0, 1) ?? [])];
  const oursIn = others.map(
    ({ summaries }) => new Map(summaries.map(({ name, oursIs }) => [name, oursIs])),
  );
  const rows = first.summaries.map(({ name, figures, oursIs }) => {
    const contestant = contestants.find((one) => one.name === name);
    return [
      name === OURS.name ? `**${name}**` : `${name}: ${contestant?.about ?? ''}`,
      Math.round(figures.requestsPerSecond.median).toLocaleString('en'),
      figures.cpuMicrosPerRequest.median.toFixed(0),
      [figures.p50Ms, figures.p99Ms, figures.p999Ms].map((ms) => ms.median.toFixed(1)).join(' / '),
      figures.residentMb.median.toFixed(0),
      times(oursIs),
      ...oursIn.map((pass) => times(pass.get(name))),
      contestant?.lapses.join(', ') ?? '',
    ];
  });
  const head = ['', 'requests/s', 'CPU µs', 'p50 / p99 / p99.9 ms', 'MB', 'ours is'];
  const note =
    `Medians of ${first.rounds} rounds of ${first.measureMs / 1000} s (least-most), ` +
    `${passTitle(first)}; ${machineLine(machine)}.`;
  return `${note}\n\n${markdownTable([
    [
      ...head,
      ...later.map((pass) => `at ${passTitle(pass)}`),
      ...(beside === undefined ? [] : [`on Node ${beside.machine.node.slice(1)}`]),
      'contract violations it accepts',
    ],
    ...rows,
  ])}`;
}

function times(ratio: Spread | undefined): string {
  if (ratio === undefined || Number.isNaN(ratio.median)) return '';
  const { median, min, max } = ratio;
  return min === max
    ? `${median.toFixed(2)}x`
    : `${median.toFixed(2)}x (${min.toFixed(2)}-${max.toFixed(2)})`;
}
