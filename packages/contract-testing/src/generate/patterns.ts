import fc from 'fast-check';

/** Ways to match a pattern; those that it turns out not to be are left to the caller to drop. */
export function matching(pattern: RegExp): fc.Arbitrary<string>[] {
  const { source } = pattern;
  // fast-check makes no property escapes and no assertions but ^ and $. A class of a few of the
  // characters, or nothing, stands for them; what comes out is held against the pattern itself.
  const simpler = [
    source,
    withoutPropertyEscapes(source),
    withoutPropertyEscapes(source).replace(/\(\?<?[=!][^()]*\)|\\[bB]/g, ''),
  ];
  for (const candidate of new Set(simpler)) {
    try {
      const way = fc.stringMatching(toRegExp(candidate));
      fc.sample(way, { numRuns: 1, seed: 1 });
      return [way];
    } catch {
      continue;
    }
  }
  return [];
}

/** As JSON Schema wants it (§6.4), with the `u` flag; without it where it is no pattern then. */
export function toRegExp(source: string): RegExp {
  try {
    return new RegExp(source, 'u');
  } catch {
    return new RegExp(source);
  }
}

const CHARACTERS = Array.from({ length: 0x3000 }, (_, point) => String.fromCodePoint(point));

function withoutPropertyEscapes(source: string): string {
  let isInClass = false;
  return source.replace(/\\[pP]\{[^}]*\}|\\[^]|[[\]]/g, (token) => {
    if (token === '[' || token === ']') isInClass = token === '[';
    if (!/^\\[pP]/.test(token)) return token;
    const one = new RegExp(`^${token}$`, 'u');
    const found = CHARACTERS.filter(
      (character) => one.test(character) && /[^\]\\^-]/.test(character),
    );
    const some = [...found.slice(0, 20), ...found.slice(-5)].join('');
    return isInClass ? some : `[${some}]`;
  });
}
