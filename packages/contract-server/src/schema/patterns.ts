/**
 * The same pattern, written so that the `u` flag accepts it; undefined where that can't be done. Without
 * the flag ECMA-262 allows (annex B.1.2) needless escapes and lone brackets, and many contracts have them.
 */
export function unicodePattern(source: string): string | undefined {
  return [source, strict(source)].find(isUnicodePattern);
}

function isUnicodePattern(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}

/** An escape, a quantifier, or any other single character. */
const TOKEN = /\\[pPu]\{[^}]*\}|\\[^]|\{\d+(?:,\d*)?\}|[^]/g;
const NEEDLESS_ESCAPE = /^\\[^A-Za-z\d^$\\.*+?()[\]{}|/]$/;
const CLASS_ESCAPE = /^\\[wWdDsSpP]/;

function strict(source: string): string {
  const tokens = source.match(TOKEN) ?? [];
  let isInClass = false;
  return tokens
    .map((token, index) => {
      if (isInClass) {
        isInClass = token !== ']';
        return strictInClass(token, tokens[index - 1], tokens[index + 1]);
      }
      isInClass = token === '[';
      if (token === '{' || token === '}' || token === ']') return `\\${token}`;
      return NEEDLESS_ESCAPE.test(token) ? token.slice(1) : token;
    })
    .join('');
}

/** Between `[` and `]`: a hyphen beside a class escape is no range, and `\-` is a right escape. */
function strictInClass(token: string, before = '', after = ''): string {
  const isBesideClass = CLASS_ESCAPE.test(before) || CLASS_ESCAPE.test(after);
  if (token === '-' && isBesideClass) return '\\-';
  return NEEDLESS_ESCAPE.test(token) && token !== '\\-' ? token.slice(1) : token;
}
