const integer = { type: 'integer' };
const int64 = { type: 'integer', format: 'int64' };
const number = { type: 'number' };

/** JSON texts on both sides of what a schema says. */
interface ExactRow {
  readonly schema: object;
  readonly right: readonly string[];
  readonly wrong: readonly string[];
}

/** By what the schema says: what a double gets wrong. */
export const exactRows: Readonly<Record<string, ExactRow>> = {
  'minimum 2^53': {
    schema: { ...integer, minimum: 2n ** 53n },
    right: ['9007199254740992', '9007199254740993', '1e40', '1e300'],
    wrong: ['9007199254740991', '-9007199254740993', '0'],
  },
  'minimum 2^53 + 1': {
    schema: { ...integer, minimum: 2n ** 53n + 1n },
    right: ['9007199254740993', '9007199254740994', '90071992547409930e-1'],
    wrong: ['9007199254740992', '9007199254740991'],
  },
  'maximum 2^53 + 1': {
    schema: { ...number, maximum: 2n ** 53n + 1n },
    right: ['9007199254740993', '9007199254740992', '0.5', '-1e300'],
    wrong: ['9007199254740994', '1e300'],
  },
  'maximum -2^53 - 1': {
    schema: { ...integer, maximum: -(2n ** 53n) - 1n },
    right: ['-9007199254740993', '-9007199254740994'],
    wrong: ['-9007199254740992', '9007199254740993'],
  },
  'exclusiveMinimum 2^53': {
    schema: { ...integer, exclusiveMinimum: 2n ** 53n },
    right: ['9007199254740993'],
    wrong: ['9007199254740992', '9007199254740991'],
  },
  'exclusiveMaximum 2^53 + 1': {
    schema: { ...integer, exclusiveMaximum: 2n ** 53n + 1n },
    right: ['9007199254740992'],
    wrong: ['9007199254740993', '9007199254740994'],
  },
  'maximum 2^63 - 1': {
    schema: { ...integer, maximum: 2n ** 63n - 1n },
    right: ['9223372036854775807', '9223372036854775806', '-9223372036854775809'],
    wrong: ['9223372036854775808', '9223372036854775809', '1e40'],
  },
  'minimum -2^63': {
    schema: { ...integer, minimum: -(2n ** 63n) },
    right: ['-9223372036854775808', '-9223372036854775807'],
    wrong: ['-9223372036854775809', '-9223372036854775810'],
  },
  'maximum 2^63 - 2 of int64': {
    schema: { ...int64, maximum: 2n ** 63n - 2n },
    right: ['9223372036854775806', '9223372036854775805', '-9223372036854775808'],
    wrong: ['9223372036854775807', '9223372036854775808', '-9223372036854775809'],
  },
  'minimum -2^63 + 1 of int64': {
    schema: { ...int64, minimum: -(2n ** 63n) + 1n },
    right: ['-9223372036854775807'],
    wrong: ['-9223372036854775808', '-9223372036854775809', '9223372036854775808'],
  },
  'exclusiveMaximum 2^63 - 1 and exclusiveMinimum 2^63 - 3 of int64': {
    schema: { ...int64, exclusiveMaximum: 2n ** 63n - 1n, exclusiveMinimum: 2n ** 63n - 3n },
    right: ['9223372036854775806'],
    wrong: ['9223372036854775805', '9223372036854775807'],
  },
  'the ends of int64, exclusive': {
    schema: { ...int64, exclusiveMaximum: 2n ** 63n, exclusiveMinimum: -(2n ** 63n) - 1n },
    right: ['9223372036854775807', '-9223372036854775808'],
    wrong: ['9223372036854775808', '-9223372036854775809'],
  },
  'maximum 2^64 - 2 of uint64': {
    schema: { ...integer, format: 'uint64', maximum: 2n ** 64n - 2n },
    right: ['18446744073709551614', '9223372036854775808', '0'],
    wrong: ['18446744073709551615', '18446744073709551616', '-1'],
  },
  'maximum 10^39 + 1': {
    schema: { ...integer, maximum: 10n ** 39n + 1n },
    right: ['1000000000000000000000000000000000000001', '1e39'],
    wrong: ['1000000000000000000000000000000000000002', '1e40'],
  },
  'const 2^63 - 1': {
    schema: { const: 2n ** 63n - 1n },
    right: ['9223372036854775807', '9223372036854775807.0'],
    wrong: ['9223372036854775806', '9223372036854775808', '9223372036854774784'],
  },
  'enum with 2^53 + 1 and -2^63': {
    schema: { enum: ['x', 2n ** 53n + 1n, -(2n ** 63n), 7] },
    right: ['9007199254740993', '-9223372036854775808', '7', '"x"'],
    wrong: ['9007199254740992', '9007199254740994', '-9223372036854775809', '9223372036854775808'],
  },
  'const with 2^60 + 1 in it': {
    schema: { const: { a: [2n ** 60n + 1n] } },
    right: ['{"a":[1152921504606846977]}'],
    wrong: ['{"a":[1152921504606846976]}', '{"a":[1152921504606846978]}'],
  },
  'const of another number than a large one': {
    schema: { const: 2 ** 53 - 1, minimum: -(2n ** 60n) },
    right: ['9007199254740991'],
    wrong: ['9007199254740992', '9007199254740990'],
  },
  'multipleOf 3': {
    schema: { ...integer, multipleOf: 3 },
    right: ['9007199254740993', '-9007199254740993', '9', '0', '9.0'],
    wrong: ['9007199254740992', '9007199254740994', '10', '1e39'],
  },
  'multipleOf 10^18': {
    schema: { ...integer, multipleOf: 10n ** 18n },
    right: ['1000000000000000000', '9000000000000000000', '-1e18', '0', '1e300'],
    wrong: ['1000000000000000001', '999999999999999999', '8999999999999999999', '10'],
  },
  'multipleOf 2^53 + 1': {
    schema: { ...int64, multipleOf: 2n ** 53n + 1n },
    right: ['9007199254740993', '18014398509481986', '-9007199254740993'],
    wrong: ['9007199254740992', '18014398509481984', '18014398509481988'],
  },
  'multipleOf 0.01': {
    schema: { ...number, multipleOf: 0.01 },
    right: ['19.99', '0.07', '1.1', '4.35', '-8.2', '9007199254740993', '1e22', '1e300', '0'],
    wrong: ['19.999', '0.005', '1e-300', '19.990000000000002'],
  },
  'multipleOf 1e-7': {
    schema: { ...number, multipleOf: 1e-7 },
    right: ['3e-7', '0.0000123', '1', '9007199254740993'],
    wrong: ['1.5e-7', '0.00001234'],
  },
  'multipleOf 7.5': {
    schema: { ...number, multipleOf: 7.5 },
    right: ['7.5', '15', '67553994410557447.5e1', '9007199254740990'],
    wrong: ['9007199254740993', '8', '7.6'],
  },
  'multipleOf 5 within bounds': {
    schema: { ...number, multipleOf: 5, minimum: -100, exclusiveMaximum: 1e6 },
    right: ['-100', '999995', '0'],
    wrong: ['9007199254740995', '1000000', '1', '5.5'],
  },
  uniqueItems: {
    schema: { type: 'array', uniqueItems: true },
    right: [
      '[9007199254740992,9007199254740993,9007199254740994]',
      '[{"a":9223372036854775807},{"a":9223372036854775808}]',
      '[-9007199254740993,9007199254740993]',
    ],
    wrong: [
      '[9007199254740993,9007199254740992,9007199254740993]',
      '[{"a":9223372036854775807,"b":1},{"b":1,"a":9223372036854775807}]',
      '[9007199254740993,9007199254740993.0]',
    ],
  },
  'uniqueItems of integers': {
    schema: { type: 'array', items: int64, uniqueItems: true },
    right: ['[9223372036854775807,9223372036854775806,-9223372036854775808]'],
    wrong: [
      '[9223372036854775807,1,9223372036854775807]',
      '[9223372036854775807,9223372036854775808]',
    ],
  },
};
