/** The format that stands for a `multipleOf` where the validator judges. */
export function multipleFormat(factor: number | bigint): string {
  return `multipleOf ${factor}`;
}

/** What a message of the validator says of such a format: the keyword, and the factor. */
export const MULTIPLE_MESSAGE = /^must match format "multipleOf (.*)"$/;

/**
 * What tells whether a number is a multiple of a factor (JSON Schema 2020-12 validation §6.2.1), of
 * numbers as they are written: 19.99 is a multiple of 0.01, though their doubles are none of each other.
 */
export function createMultipleCheck(factor: number | bigint): (value: number | bigint) => boolean {
  const [factorDigits, factorExponent] = decimalOf(factor);
  const step = Number(factorDigits);
  // Powers of ten up to this are doubles.
  const scale = factorExponent > 0 || factorExponent < -22 ? NaN : Number(`1e${-factorExponent}`);
  return (value) => {
    if (typeof value === 'number') {
      // Up to 15 digits a double stands for one number alone, so this is exact, and digits take long.
      const scaled = Math.round(value * scale);
      if (Math.abs(scaled) < 1e15 && step < 1e15) {
        return scaled / scale === value && scaled % step === 0;
      }
    }
    const [digits, exponent] = decimalOf(value);
    const least = Math.min(exponent, factorExponent);
    const scaled = digits * 10n ** BigInt(exponent - least);
    return scaled % (factorDigits * 10n ** BigInt(factorExponent - least)) === 0n;
  };
}

/** The least integer of which every multiple is one of each of these factors, too; 1 for none. */
export function integerStep(factors: readonly (number | bigint)[]): bigint {
  return factors.reduce<bigint>((step, factor) => {
    const [digits, exponent] = decimalOf(factor);
    const scale = 10n ** BigInt(Math.abs(exponent));
    const least = exponent < 0 ? digits / greatestDivisor(digits, scale) : digits * scale;
    return (step / greatestDivisor(step, least)) * least;
  }, 1n);
}

function greatestDivisor(one: bigint, other: bigint): bigint {
  return other === 0n ? one : greatestDivisor(other, one % other);
}

/** A number's digits as an integer, and the power of ten that it is to be multiplied with. */
function decimalOf(value: number | bigint): [digits: bigint, exponent: number] {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}
