import { ContractError } from '../../document/contract-error.js';
import { isObject, type Schema } from '../../document/document.js';
import { isNumeric, JSON_TYPES } from '../../schema/types.js';

const isType = (value: unknown): boolean => JSON_TYPES.some((type) => type === value);
const isCount = (value: unknown): boolean =>
  isNumeric(value) && Number.isInteger(Number(value)) && value >= 0;
const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
const isString = (value: unknown): boolean => typeof value === 'string';
const isSchema = (value: unknown): boolean => isObject(value) || isBoolean(value);
const isNames = (value: unknown): boolean => Array.isArray(value) && value.every(isString);
const isList = (value: unknown): boolean => Array.isArray(value) && value.every(isSchema);
const isMap = (value: unknown): boolean => isObject(value) && Object.values(value).every(isSchema);
const isAnything = (): boolean => true;

/** The keywords that can refuse a value, and what their own values must be. */
const REFUSING: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) => (Array.isArray(value) ? value.every(isType) : isType(value)),
  enum: (value) => Array.isArray(value) && value.length > 0,
  const: isAnything,
  multipleOf: (value) => isNumeric(value) && Number(value) > 0,
  maximum: isNumeric,
  minimum: isNumeric,
  exclusiveMaximum: isNumeric,
  exclusiveMinimum: isNumeric,
  maxLength: isCount,
  minLength: isCount,
  pattern: isString,
  maxItems: isCount,
  minItems: isCount,
  uniqueItems: isBoolean,
  maxContains: isCount,
  minContains: isCount,
  maxProperties: isCount,
  minProperties: isCount,
  required: isNames,
  dependentRequired: (value) => isObject(value) && Object.values(value).every(isNames),
  format: isString,
  properties: isMap,
  patternProperties: isMap,
  dependentSchemas: isMap,
  prefixItems: isList,
  allOf: isList,
  oneOf: isList,
  anyOf: isList,
  ...Object.fromEntries(
    [
      ...['not', 'if', 'then', 'else', 'items', 'contains', 'unevaluatedItems'],
      ...['additionalProperties', 'propertyNames', 'unevaluatedProperties'],
    ].map((name) => [name, isSchema]),
  ),
};

/**
 * Whether a keyword can refuse a value. All others, annotations, extensions and examples among them,
 * have no place in a slice (JSON Schema 2020-12 core §6.5: an unknown keyword is an annotation).
 */
export function canRefuse(keyword: string): boolean {
  return Object.hasOwn(REFUSING, keyword);
}

const IN_PLACE = ['allOf', 'oneOf', 'anyOf', 'then', 'else', 'dependentSchemas'];

/** Whether a keyword's schemas judge the same value as the schema that they stand in. */
export function isInPlace(keyword: string): boolean {
  return IN_PLACE.includes(keyword);
}

/** What is wrong with a schema's own keywords, which the schema of OpenAPI 3.1 leaves unchecked. */
export function keywordProblems(schema: Schema, isOpenApi30: boolean): string[] {
  const problems: string[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    // OpenAPI 3.0.3 §4.7.24: of JSON Schema Wright 00, where these two are switches.
    const isSwitch = isOpenApi30 && keyword.startsWith('exclusiveM');
    const isRight = isSwitch ? isBoolean(value) : (REFUSING[keyword]?.(value) ?? true);
    if (Object.hasOwn(REFUSING, keyword) && !isRight) {
      problems.push(`${keyword} can't be ${JSON.stringify(value, replaceBigint).slice(0, 60)}`);
    }
  }
  for (const keyword of ['$dynamicRef', '$recursiveRef']) {
    if (Object.hasOwn(schema, keyword)) problems.push(`${keyword} is not supported`);
  }
  return problems;
}

function replaceBigint(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

/** A schema whose keywords aren't what they must be. */
export class KeywordError extends ContractError {
  constructor(
    readonly schema: object,
    problems: readonly string[],
  ) {
    super(problems);
  }
}
