import { RegExpParser, type AST } from '@eslint-community/regexpp';
import type { Choices } from './choices.js';

/** The characters that texts are made of, those that read best first. */
const CHARACTERS = [
  ...Array.from('aA0 -_.,:/@+bcdefghijklmnopqrstuvwxyzBCDEFGHIJKLMNOPQRSTUVWXYZ123456789'),
  ...Array.from({ length: 0x3000 - 0x20 }, (_, index) => String.fromCodePoint(0x20 + index)),
];
/** A quantifier without an upper end repeats at most so often beyond what it must. */
const SPARE_REPEATS = 40;

const parser = new RegExpParser();

/**
 * A text that a pattern might match: look-around and back-references are left out of account, so the
 * caller tests it. Greater numbers give longer and other texts.
 */
export function textMatching(pattern: RegExp, choices: Choices, number: number): string {
  const repeats = Math.min(number, SPARE_REPEATS);
  const own = number <= SPARE_REPEATS ? choices : choices.another(number);
  const textOf = (node: AST.Element | AST.Pattern): string => {
    switch (node.type) {
      case 'Pattern':
      case 'Group':
      case 'CapturingGroup': {
        const chosen = node.alternatives[own.pick(node.alternatives.length)];
        return (chosen?.elements ?? []).map(textOf).join('');
      }
      case 'Quantifier': {
        const most = Math.min(node.max, node.min + SPARE_REPEATS);
        const wanted = own === choices ? node.min + repeats : node.min + own.pick(SPARE_REPEATS);
        return Array.from({ length: Math.min(most, wanted) }, () => textOf(node.element)).join('');
      }
      case 'Character':
        return String.fromCodePoint(node.value);
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        return characterOf(node.raw, own);
      case 'Assertion':
      case 'Backreference':
        return '';
    }
  };
  return textOf(parser.parsePattern(pattern.source, undefined, undefined, { unicode: true }));
}

const classes = new Map<string, readonly string[]>();

/** One of the characters that a class or an escape such as `\d` has. */
function characterOf(raw: string, choices: Choices): string {
  const known = classes.get(raw);
  const one = new RegExp(`^${raw}$`, 'u');
  const characters = known ?? CHARACTERS.filter((character) => one.test(character)).slice(0, 70);
  classes.set(raw, characters);
  return characters[choices.pick(characters.length)] ?? '';
}
