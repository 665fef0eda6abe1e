import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { default as ajvFormats } from 'ajv-formats';
import { isExactInteger, type ExactJson } from './exact-json.js';
import { join, steps, type JsonObject } from './document.js';
import { AT, EXACT } from './schemas.js';

// Its types describe the CommonJS module, whose default is the function, as an ES module.
const addFormats = ajvFormats as unknown as typeof ajvFormats.default;

/** Something that isn't what a schema says. */
export interface SchemaProblem {
  /** Where in the value. */
  readonly pointer: string;
  readonly expected: string;
  readonly received: unknown;
  /** The schema that says so, by its place in the contract, and which of its keywords. */
  readonly at: string;
  readonly keyword: string;
  /** The part of the value that the schema was held against. */
  readonly instance: string;
  /** The member that is missing, where that is the problem. */
  readonly missing: string | undefined;
}

/** A schema that a value was held against, and which part of the value. */
export interface Applied {
  readonly at: string;
  readonly part: unknown;
  readonly pointer: string;
  readonly numbers: ExactJson['numbers'];
}

export interface SchemaVerdict {
  readonly problems: readonly SchemaProblem[];
  readonly applied: readonly Applied[];
}

/** Holds a value against the schema at a place of the contract. */
export type Validate = (at: string, json: ExactJson, base?: string) => SchemaVerdict;

/** The formats of strings that are checked, of all that a schema may name. */
export const CHECKED_FORMATS: ReadonlySet<string> = new Set(
  Object.entries(addFormats(new Ajv2020()).formats)
    .filter(([, format]) => format !== true && !isOfNumbers(format))
    .map(([name]) => name),
);

function isOfNumbers(format: unknown): boolean {
  return (
    typeof format === 'object' && format !== null && 'type' in format && format.type === 'number'
  );
}

/** Patterns are meant to be read with the `u` flag, and many published ones can't be. */
const lenientRegExp = Object.assign(
  (pattern: string, flags: string): RegExp => {
    try {
      return new RegExp(pattern, flags);
    } catch {
      return new RegExp(pattern);
    }
  },
  { code: 'new RegExp' },
);

/**
 * A validator by the copy of a contract that `schemasFor` makes. It is Ajv with all formats, shares
 * nothing with the one in production, and judges integers by the digits that were sent.
 */
export function createValidator(schemas: JsonObject): Validate {
  let numbers: ReadonlyMap<string, string> = new Map();
  let base = '';
  let applied: Applied[] = [];

  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    verbose: true,
    validateSchema: false,
    logger: false,
    code: { regExp: lenientRegExp },
  });
  addFormats(ajv);
  ajv.addKeyword({
    keyword: AT,
    errors: false,
    validate: (at: string, part: unknown, _schema?: unknown, place?: { instancePath: string }) => {
      applied.push({ at, part, pointer: base + (place?.instancePath ?? ''), numbers });
      return true;
    },
  });
  ajv.addKeyword({
    keyword: EXACT,
    type: 'number',
    validate: (format: string, part: number, _schema?: unknown, place?: { instancePath: string }) =>
      isExactInteger(numbers.get(base + (place?.instancePath ?? '')) ?? String(part), format),
  });
  ajv.addSchema(schemas, 'contract');
  const compiled = new Map<string, ValidateFunction>();

  return (at, json, below = '') => {
    const validate = compiled.get(at) ?? ajv.compile({ $ref: `contract#${fragment(at)}` });
    compiled.set(at, validate);
    ({ numbers } = json);
    base = below;
    applied = [];
    validate(json.value);
    return { problems: (validate.errors ?? []).map(problemOf), applied };
  };
}

/** A pointer as a URI has it (RFC 6901 §6). */
function fragment(pointer: string): string {
  return steps(pointer)
    .map((step) => encodeURIComponent(join('', step).slice(1)))
    .map((step) => `/${step}`)
    .join('');
}

function problemOf(error: ErrorObject): SchemaProblem {
  const { instancePath, keyword, message = keyword, params, data, parentSchema } = error;
  // With the option "verbose" an error has the schema that made it.
  const { [AT]: at = '', [EXACT]: format } = parentSchema as { [AT]?: string; [EXACT]?: string };
  const missing = keyword === 'required' ? String(params.missingProperty) : undefined;
  const { pointer, received } =
    missing === undefined
      ? { pointer: instancePath, received: data }
      : { pointer: join(instancePath, missing), received: undefined };
  const expected = {
    required: 'is required',
    'false schema': 'must not be there',
    [EXACT]: `must be an integer${format === 'integer' ? '' : ` of format ${String(format)}`}`,
    const: `must be ${JSON.stringify(params.allowedValue)}`,
    enum: `must be one of ${JSON.stringify(params.allowedValues)}`,
    additionalProperties: `must not have ${JSON.stringify(params.additionalProperty)}`,
    unevaluatedProperties: `must not have ${JSON.stringify(params.unevaluatedProperty)}`,
  }[keyword];
  return {
    pointer,
    expected: expected ?? message,
    received,
    at,
    keyword,
    instance: instancePath,
    missing,
  };
}
