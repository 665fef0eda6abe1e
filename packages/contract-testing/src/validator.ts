import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { default as ajvFormats } from 'ajv-formats';
import { isObject, join, steps, type JsonObject } from './document.js';
import { exactNumber, isExactInteger, readJson, type ExactJson } from './exact-json.js';
import { addExactKeywords, type ExactOf } from './exact-keywords.js';
import { isJson } from './operations.js';
import { problemOf, type SchemaProblem } from './schema-problem.js';
import { AT, EXACT } from './schemas.js';

// Its types describe the CommonJS module, whose default is the function, as an ES module.
const addFormats = ajvFormats as unknown as typeof ajvFormats.default;

/** A schema that a value was held against, and which part of the value. */
export interface Applied {
  readonly at: string;
  readonly part: unknown;
  readonly pointer: string;
  readonly numbers: ExactJson['numbers'];
  /** As in {@link ValidateOptions}. */
  readonly content: boolean;
}

export interface SchemaVerdict {
  readonly problems: readonly SchemaProblem[];
  readonly applied: readonly Applied[];
}

/** Holds a value against the schema at a place of the contract. */
export type Validate = (at: string, json: ExactJson, options?: ValidateOptions) => SchemaVerdict;

export interface ValidateOptions {
  /** Where the value is, for the places of what is found. */
  readonly below?: string;
  /** Whether a text is held against the schema of its content, as in the data of an event. */
  readonly content?: boolean;
}

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
  let judgesContent = false;

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
      const pointer = base + (place?.instancePath ?? '');
      applied.push({ at, part, pointer, numbers, content: judgesContent });
      return true;
    },
  });
  ajv.addKeyword({
    keyword: EXACT,
    type: 'number',
    validate: (format: string, part: number, _schema?: unknown, place?: { instancePath: string }) =>
      isExactInteger(numbers.get(base + (place?.instancePath ?? '')) ?? String(part), format),
  });
  const exactOf: ExactOf = (part, pointer) => {
    if (typeof part === 'number') return exactNumber(numbers.get(base + pointer) ?? String(part));
    if (!isObject(part)) return part;
    if (Array.isArray(part)) return part.map((item, n) => exactOf(item, join(pointer, n)));
    const members = Object.entries(part);
    return Object.fromEntries(
      members.map(([name, member]) => [name, exactOf(member, join(pointer, name))]),
    );
  };
  addExactKeywords(ajv, exactOf);
  // JSON Schema 2020-12 validation §8.2.1: only who asks for it gets an assertion of it.
  ajv.removeKeyword('contentSchema');
  ajv.addKeyword({
    keyword: 'contentSchema',
    type: 'string',
    errors: 'full',
    validate: judgeContent,
  });
  ajv.addSchema(schemas, 'contract');
  const compiled = new Map<string, ValidateFunction>();

  function validatorAt(at: string): ValidateFunction {
    const validate = compiled.get(at) ?? ajv.compile({ $ref: `contract#${fragment(at)}` });
    compiled.set(at, validate);
    return validate;
  }

  function judgeContent(
    schema: { readonly [AT]?: string },
    text: string,
    { contentMediaType }: JsonObject = {},
    { instancePath = '' }: { readonly instancePath?: string } = {},
  ): boolean {
    judgeContent.errors = [];
    if (!judgesContent || !isJson(String(contentMediaType)) || schema[AT] === undefined)
      return true;
    const outer = { numbers, base };
    try {
      const json = readJson(text);
      base += instancePath;
      numbers = new Map([...json.numbers].map(([pointer, digits]) => [base + pointer, digits]));
      const validate = validatorAt(schema[AT]);
      if (validate(json.value)) return true;
      judgeContent.errors = (validate.errors ?? []).map((error) => ({
        ...error,
        instancePath: instancePath + error.instancePath,
      }));
    } catch {
      judgeContent.errors = [
        {
          ...{ keyword: 'contentSchema', message: 'must be JSON', instancePath },
          ...{ params: {}, data: text, parentSchema: schema },
        },
      ];
    } finally {
      ({ numbers, base } = outer);
    }
    return false;
  }
  judgeContent.errors = [] as Partial<ErrorObject>[];

  return (at, json, { below = '', content = false } = {}) => {
    const validate = validatorAt(at);
    judgesContent = content;
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
