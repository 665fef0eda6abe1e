import type { CoverageReport } from './coverage.js';

const STYLE = `
  body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem }
  table { border-collapse: collapse; width: 100% }
  th, td { border-bottom: 1px solid #ccc; padding: .25rem .5rem; text-align: left }
  td.count, th.count { text-align: right; font-variant-numeric: tabular-nums }
  td.never { background: #fdd; color: #900 }
  code { overflow-wrap: anywhere }`;

/** The report as one HTML page that needs nothing else. */
export function coveragePage({ title, responses, constraints, percent }: CoverageReport): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Contract coverage: ${escape(title)}</title>
<style>${STYLE}
</style>
<h1>Contract coverage: ${escape(title)}</h1>
<p>The tests have seen ${percent.toFixed(1)} % of what the contract declares.</p>
<h2>Responses</h2>
${table(
  ['operation', 'response', 'media type'],
  ['seen'],
  responses.map((row) => [[row.operationId, row.response, row.mediaType], [row.count]]),
)}
<h2>Constraints of requests</h2>
<p>Kept by a request that was accepted, and broken by one that was refused.</p>
${table(
  ['operation', 'constraint'],
  ['kept', 'broken'],
  constraints.map((row) => [
    [row.operationId, row.constraint],
    [row.accepted, row.refused],
  ]),
)}
</html>
`;
}

type Row = readonly [texts: readonly string[], counts: readonly number[]];

function table(texts: readonly string[], counts: readonly string[], rows: readonly Row[]): string {
  const head = [
    ...texts.map((name) => `<th>${name}`),
    ...counts.map((name) => `<th class="count">${name}`),
  ];
  return `<table>
<thead><tr>${head.join('')}
<tbody>
${rows.map(([cells, numbers]) => `<tr>${[...cells.map(cell), ...numbers.map(count)].join('')}`).join('\n')}
</table>`;
}

function cell(text: string): string {
  return `<td><code>${escape(text)}</code>`;
}

function count(value: number): string {
  return value === 0 ? '<td class="count never">never' : `<td class="count">${value}`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
