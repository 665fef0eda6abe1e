/**
 * A cell of a CSV file (RFC 4180 §2): quotes around what has a quote, a comma or a line break, quotes in it
 * doubled. The empty string has quotes too, as PostgreSQL's COPY writes it: without them a cell has no value.
 */
export function csvCell(text: string | undefined): string {
  if (text === undefined) return '';
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
