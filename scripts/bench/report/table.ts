export type Row = readonly string[];

/** The rows as columns of text; a row of one cell is a heading and takes no part in the widths. */
export function textTable(rows: readonly Row[]): string {
  const widths = widthsOf(rows.filter((row) => row.length > 1));
  return rows
    .map((row) => (row.length === 1 ? `\n${row[0] ?? ''}` : pad(row, widths).join('  ').trimEnd()))
    .join('\n');
}

/** The rows, of which the first is the head, as a Markdown table. */
export function markdownTable([head = [], ...rows]: readonly Row[]): string {
  const widths = widthsOf([head, ...rows]);
  const line = (cells: Row): string => `| ${pad(cells, widths).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

function widthsOf(rows: readonly Row[]): number[] {
  return (rows[0] ?? []).map((_, column) =>
    Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)),
  );
}

function pad(row: Row, widths: readonly number[]): string[] {
  return row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
}
