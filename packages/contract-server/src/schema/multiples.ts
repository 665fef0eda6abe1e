/** The format that stands for a `multipleOf` where the validator judges. */
export function multipleFormat(factor: number | bigint): string {
  return `multipleOf ${factor}`;
}

/** What a message of the validator says of such a format: the keyword, and the factor. */
export const MULTIPLE_MESSAGE = /^must match format "multipleOf (.*)"$/;

/**
 * JSON Schema 2020-12 validation §6.2.1, of numbers as they are written: 19.99 is a multiple of 0.01,
 * though none of the doubles next to them are multiples of each other.
 */
export function isMultiple(value: number | bigint, factor: number | bigint): boolean {
  if (isSmallInteger(value) && isSmallInteger(factor)) return value % factor === 0;
  const [digits, exponent] = decimalOf(value);
  const [factorDigits, factorExponent] = decimalOf(factor);
  const least = Math.min(exponent, factorExponent);
  const scaled = digits * 10n ** BigInt(exponent - least);
  return scaled % (factorDigits * 10n ** BigInt(factorExponent - least)) === 0n;
}

function isSmallInteger(value: number | bigint): value is number {
  return Number.isSafeInteger(value);
}

/** A number's digits as an integer, and the power of ten that it is to be multiplied with. */
function decimalOf(value: number | bigint): [digits: bigint, exponent: number] {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}
