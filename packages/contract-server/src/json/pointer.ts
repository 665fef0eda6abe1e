/** A JSON Pointer (RFC 6901). */
export function pointer(path: readonly (string | number)[]): string {
  return path.map((step) => '/' + String(step).replace(/~/g, '~0').replace(/\//g, '~1')).join('');
}

/** The names and indices of a JSON Pointer (RFC 6901 §4). */
export function stepsOf(text: string): string[] {
  return text
    .split('/')
    .slice(1)
    .map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'));
}
