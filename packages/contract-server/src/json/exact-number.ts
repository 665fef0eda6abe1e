/** An integer of more digits, written without an exponent, is taken as the nearest double. */
const MAX_EXACT_DIGITS = 40;
/** An integer of 15 to 40 digits; shorter ones are safe as doubles. */
const LONG_INTEGER = /^-?\d{15,40}$/;
const MAY_HAVE_FRACTION = /\.|[eE]-/;
const NUMBER_PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/;

/**
 * The value of a JSON number, integers exact; undefined where a double would turn it into another kind.
 * @param double the nearest double, where it is known
 */
export function exactNumber(token: string, double = Number(token)): number | bigint | undefined {
  // Shortcuts for the common cases.
  if (LONG_INTEGER.test(token)) return Number.isSafeInteger(double) ? double : BigInt(token);
  // Every double from 2^53 on is an integer.
  if (Number.isFinite(double) && !Number.isInteger(double)) return double;
  if (Number.isSafeInteger(double) && !MAY_HAVE_FRACTION.test(token)) return double;
  return readParts(token, double);
}

/** A number of a contract as {@link exactNumber} has one of a message: an integer beyond 2^53 is a `bigint`. */
export function exactLiteral(literal: number | bigint): number | bigint {
  if (!Number.isInteger(Number(literal))) return literal;
  return String(BigInt(literal)).replace('-', '').length > MAX_EXACT_DIGITS
    ? Number(literal)
    : shrink(BigInt(literal));
}

function shrink(integer: bigint): number | bigint {
  const double = Number(integer);
  return Number.isSafeInteger(double) ? double : integer;
}

function readParts(token: string, double: number): number | bigint | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER_PARTS.exec(token) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.slice(0, lengthWithoutZeros(digits));
  const zeros = Number(exponent) - fraction.length + digits.length - significant.length;
  if (significant === '') return double;
  if (zeros < 0) return Number.isInteger(double) ? undefined : double;
  if (significant.length + zeros > MAX_EXACT_DIGITS) {
    return Number.isFinite(double) ? double : undefined;
  }
  return shrink(BigInt(sign + significant + '0'.repeat(zeros)));
}

/** A loop, because /0+$/ takes quadratic time on long runs of zeros, which a client may send. */
function lengthWithoutZeros(digits: string): number {
  let length = digits.length;
  while (digits[length - 1] === '0') length--;
  return length;
}

/** The powers of two at which integer formats end; see OpenAPI 3.1 §4.4 and its format registry. */
const FORMAT_BOUNDS = [-(2n ** 63n), 2n ** 63n, 2n ** 64n].map((end) => ({
  end,
  double: Number(end),
}));

/**
 * The nearest double that is on the integer's own side of every format's end, so that a validator
 * which sees only the double still judges the format exactly.
 */
export function roundInteger(integer: bigint, double = Number(integer)): number {
  if (Math.abs(double) < 2 ** 63) return double;
  const bound = FORMAT_BOUNDS.find((each) => each.double === double);
  if (bound === undefined || integer >= bound.end) return double;
  // The next double down: below 2^63 they are 1024 apart, below 2^64 and -2^63 2048.
  return double - (double === 2 ** 63 ? 1024 : 2048);
}
