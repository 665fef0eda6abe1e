/** A JSON Pointer (RFC 6901). */
export function pointer(path: readonly (string | number)[]): string {
  return path.map((step) => '/' + String(step).replace(/~/g, '~0').replace(/\//g, '~1')).join('');
}

/** The names and indices of a JSON Pointer (RFC 6901 §4). */
export function stepsOf(text: string): string[] {
  return text.split('/').slice(1).map(unescapeStep);
}

/** The same of a JSON Pointer in a URI fragment (RFC 6901 §6), which many contracts don't percent-encode. */
export function stepsOfFragment(fragment: string): string[] {
  return fragment.split('/').slice(1).map(decodePercent).map(unescapeStep);
}

function unescapeStep(step: string): string {
  return step.replace(/~1/g, '/').replace(/~0/g, '~');
}

function decodePercent(step: string): string {
  return /%(?![\dA-Fa-f]{2})/.test(step) ? step : decodeURIComponent(step);
}

/**
 * The JSON Pointer of the first object or list in a value, the value itself included, that passes a
 * test; undefined where none does. Outer ones are tested before those in them.
 */
export function findPointer(
  value: unknown,
  test: (part: object, here: () => string) => boolean,
): string | undefined {
  const path: string[] = [];
  const here = (): string => pointer(path);
  const find = (part: unknown): boolean => {
    if (typeof part !== 'object' || part === null) return false;
    if (test(part, here)) return true;
    for (const [name, member] of Object.entries(part)) {
      path.push(name);
      if (find(member)) return true;
      path.pop();
    }
    return false;
  };
  return find(value) ? here() : undefined;
}
