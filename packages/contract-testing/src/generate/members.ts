/** An object of which nothing more is known, such as a part of a contract. */
export type Members = Readonly<Record<string, unknown>>;

/** What a reference points at; the part before its `#` doesn't matter, since there is one document. */
export function lookUp(root: Members, ref: string): unknown {
  const steps = decodeURIComponent(ref.slice(ref.indexOf('#') + 1)).split('/');
  return steps
    .slice(1)
    .map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'))
    .reduce<unknown>((target, step) => membersOf(target)[step], root);
}

export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
