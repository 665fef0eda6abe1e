import { _, str, type Ajv2020 } from 'ajv/dist/2020.js';

/** What a number is exactly: every integer is a `bigint`. */
export type ExactNumber = number | bigint;

/** The value at a place of what is judged, with its numbers exact. */
export type ExactOf = (part: unknown, pointer: string) => unknown;

/**
 * Has Ajv judge by exact numbers, where its own keywords compare doubles: with a literal of the contract,
 * or with each other.
 */
export function addExactKeywords(ajv: Ajv2020, exactOf: ExactOf): void {
  for (const { keyword, type, message, judge } of KEYWORDS) {
    ajv.removeKeyword(keyword);
    ajv.addKeyword({
      keyword,
      ...(type !== undefined && { type }),
      errors: false,
      error: {
        message: ({ schemaCode }) => (type === 'number' ? str`${message}${schemaCode}` : message),
        params: ({ schemaCode }) => _`{allowedValue: ${schemaCode}, allowedValues: ${schemaCode}}`,
      },
      validate: (
        said: unknown,
        part: unknown,
        _schema?: unknown,
        place?: { instancePath: string },
      ) => judge(said, exactOf(part, place?.instancePath ?? '')),
    });
  }
}

interface ExactKeyword {
  readonly keyword: string;
  readonly type?: 'number' | 'array';
  readonly message: string;
  readonly judge: (said: unknown, value: unknown) => boolean;
}

const ofNumbers = (
  keyword: string,
  message: string,
  judge: (said: ExactNumber, value: ExactNumber) => boolean,
): ExactKeyword => ({
  ...{ keyword, type: 'number', message: `must be ${message} ` },
  judge: (said, value) => judge(said as ExactNumber, value as ExactNumber),
});

const KEYWORDS: readonly ExactKeyword[] = [
  ofNumbers('minimum', '>=', (said, value) => value >= said),
  ofNumbers('maximum', '<=', (said, value) => value <= said),
  ofNumbers('exclusiveMinimum', '>', (said, value) => value > said),
  ofNumbers('exclusiveMaximum', '<', (said, value) => value < said),
  ofNumbers('multipleOf', 'multiple of', (said, value) => isMultiple(value, said)),
  {
    keyword: 'const',
    message: 'must be equal to constant',
    judge: (said, value) => canonical(said) === canonical(value),
  },
  {
    keyword: 'enum',
    message: 'must be equal to one of the allowed values',
    judge: (said, value) => (said as unknown[]).some((one) => canonical(one) === canonical(value)),
  },
  {
    keyword: 'uniqueItems',
    type: 'array',
    message: 'must NOT have duplicate items',
    judge: (said, value) => {
      const items = value as unknown[];
      return said !== true || new Set(items.map(canonical)).size === items.length;
    },
  },
];

/** By decimal digits: 19.99 is a multiple of 0.01. */
function isMultiple(value: ExactNumber, factor: ExactNumber): boolean {
  const [digits, exponent] = decimalOf(value);
  const [factorDigits, factorExponent] = decimalOf(factor);
  const least = Math.min(exponent, factorExponent);
  const scaled = digits * 10n ** BigInt(exponent - least);
  return scaled % (factorDigits * 10n ** BigInt(factorExponent - least)) === 0n;
}

function decimalOf(value: ExactNumber): [digits: bigint, exponent: number] {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}

/** The same text for equal values: 1 and 1n are equal, and the order of members says nothing. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value === 'number' || typeof value === 'bigint') return decimalOf(value).join('e');
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`;
}
