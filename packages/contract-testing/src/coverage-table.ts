import type { CoverageReport } from './coverage.js';

/** The report as text: one line for each declared response, and one for each constraint. */
export function coverageTable({ title, responses, constraints, percent }: CoverageReport): string {
  const seen = responses.map(({ operationId, response, mediaType, count }) => [
    operationId,
    response,
    mediaType || '(no body)',
    shown(count),
  ]);
  const tested = constraints.map(({ operationId, constraint, accepted, refused }) => [
    operationId,
    constraint,
    shown(accepted),
    shown(refused),
  ]);
  return [
    `\nContract coverage of "${title}": ${percent.toFixed(1)} %\n`,
    ...columns([['operation', 'response', 'media type', 'seen'], ...seen]),
    '',
    ...columns([['operation', 'constraint of the request', 'kept', 'broken'], ...tested]),
    '',
  ].join('\n');
}

/** A line for each thing that no test has seen. */
export function missing({ responses, constraints }: CoverageReport): string[] {
  return [
    ...responses
      .filter(({ count }) => count === 0)
      .map(
        ({ operationId, response, mediaType }) =>
          `${operationId}: no test has seen the response ${`${response} ${mediaType}`.trimEnd()}`,
      ),
    ...constraints.flatMap(({ operationId, constraint, accepted, refused }) => [
      ...(accepted === 0 ? [`${operationId}: no test keeps ${constraint} and is accepted`] : []),
      ...(refused === 0 ? [`${operationId}: no test breaks ${constraint} and is refused`] : []),
    ]),
  ];
}

function shown(count: number): string {
  return count === 0 ? 'NEVER' : String(count);
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, n) =>
    Math.max(...rows.map((row) => (row[n] ?? '').length)),
  );
  return rows.map((row) =>
    `  ${row.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join('  ')}`.trimEnd(),
  );
}
