/** A member's name as TypeScript writes it. */
export function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

export function quoted(text: string): string {
  const json = JSON.stringify(text);
  return text.includes("'") ? json : `'${json.slice(1, -1).replaceAll('\\"', '"')}'`;
}

/** A value as TypeScript writes it, in one line where that is short. */
export function sourceOf(value: unknown, depth = 0): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item: unknown) => sourceOf(item, depth + 1))
    : Object.entries(value).map(
        ([name, member]) => `${keyOf(name)}: ${sourceOf(member, depth + 1)}`,
      );
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return open + close;
  const line = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  if (line.length + 2 * depth <= 80 && !line.includes('\n')) return line;
  const indent = '  '.repeat(depth);
  return [open, ...parts.map((part) => `${indent}  ${part},`), indent + close].join('\n');
}

/** A name in camel case, as one for a constant: `travel-plans` becomes `travelPlans`. */
export function camelCase(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const camel = words
    .map((word, index) =>
      index === 0
        ? word.charAt(0).toLowerCase() + word.slice(1)
        : word.charAt(0).toUpperCase() + word.slice(1),
    )
    .join('');
  return /^[a-z]/i.test(camel) ? camel : `group${camel}`;
}

/** The same as the name of a file: `travel-plans`. */
export function kebabCase(name: string): string {
  const kebab = name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return kebab === '' ? 'operations' : kebab;
}
