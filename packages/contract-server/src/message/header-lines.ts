/** Header lines as node writes them: each name is followed by its value. */
export type HeaderLines = string[];

/** Gives a header its value, in place of the one that it has, whatever the case of its name. */
export function setHeader(lines: HeaderLines, name: string, value: string): void {
  const at = placeOf(lines, name);
  if (at === -1) lines.push(name, value);
  else lines[at + 1] = value;
}

/** Adds to a header that is a list (RFC 9110 §5.6.1), or gives it its value. */
export function appendHeader(lines: HeaderLines, name: string, value: string): void {
  const before = getHeader(lines, name);
  setHeader(lines, name, before === undefined ? value : `${before}, ${value}`);
}

/** The value of a header, whatever the case of its name. */
export function getHeader(lines: readonly string[], name: string): string | undefined {
  const at = placeOf(lines, name);
  return at === -1 ? undefined : lines[at + 1];
}

function placeOf(lines: readonly string[], name: string): number {
  for (let at = 0; at < lines.length; at += 2) {
    const given = lines[at];
    if (given === name) return at;
    // RFC 9110 §5.1: names have no case. Most differ in length, which costs nothing to see.
    if (given?.length === name.length && given.toLowerCase() === name.toLowerCase()) return at;
  }
  return -1;
}
