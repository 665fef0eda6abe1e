import { passTitle } from '../load/passes.js';
import { OURS } from '../process/contestants.js';
import type { BenchReport } from './bench-report.js';
import { machineLine } from './text.js';

const WIDTH = 720;
const LEFT = 216;
const RIGHT = 88;
const TOP = 44;
const ROW = 28;
const BAR = 18;
const BOTTOM = 30;

/** Follows the reader's scheme, light or dark, as far as whatever shows the picture tells it. */
const STYLE = `
  text { font: 13px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; fill: #1f2328; }
  .title { font-weight: 600; font-size: 14px; }
  .note { font-size: 11px; fill: #59636e; }
  .bar { fill: #afb8c1; }
  .ours { fill: #1a7f37; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; }
    .note { fill: #9198a1; }
    .bar { fill: #656c76; }
    .ours { fill: #3fb950; }
  }`;

/** The throughput of the first pass as horizontal bars: an SVG that needs nothing else. */
export function chart({ passes, contestants, machine }: BenchReport): string {
  const [pass] = passes;
  if (pass === undefined) throw new Error('nothing was measured that could be drawn');
  const rows = pass.summaries
    .map(({ name, figures }) => ({ name, perSecond: figures.requestsPerSecond.median }))
    .sort((a, b) => b.perSecond - a.perSecond);
  const most = Math.max(...rows.map(({ perSecond }) => perSecond));
  const lesser = new Set(
    contestants.filter(({ lapses }) => lapses.length > 0).map(({ name }) => name),
  );
  const height = TOP + rows.length * ROW + BOTTOM;
  const bars = rows.map(({ name, perSecond }, index) => {
    const y = TOP + index * ROW;
    const middle = y + BAR / 2 + 4.5;
    const width = Math.max(1, ((WIDTH - LEFT - RIGHT) * perSecond) / most).toFixed(1);
    const kind = name.startsWith(OURS.name) ? 'bar ours' : 'bar';
    const label = escape(lesser.has(name) ? `${name} *` : name);
    const value = Math.round(perSecond).toLocaleString('en');
    return `  <text x="${LEFT - 10}" y="${middle}" text-anchor="end">${label}</text>
  <rect class="${kind}" x="${LEFT}" y="${y}" width="${width}" height="${BAR}" rx="2"/>
  <text x="${(LEFT + Number(width) + 8).toFixed(1)}" y="${middle}">${value}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="Requests per second">
  <style>${STYLE}
  </style>
  <text class="title" x="12" y="24">Plants made durable per second (${escape(passTitle(pass))})</text>
${bars.join('\n')}
  <text class="note" x="12" y="${height - 10}">* checks less than the contract asks for; ${escape(machineLine(machine))}</text>
</svg>
`;
}

function escape(text: string): string {
  return text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
