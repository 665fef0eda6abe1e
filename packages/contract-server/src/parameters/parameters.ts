import { createCookieReader } from './cookie-parameters.js';
import type { ContractProblem } from '../document/contract-error.js';
import type { ContractDocument } from '../document/document.js';
import { nameIn } from '../operation/message-schema.js';
import { createHeaderReader } from './header-parameters.js';
import { splitIntegers, type IntegerParts } from '../json/exact-integers.js';
import type { JsonValue } from '../json/json-value.js';
import { createRecord } from '../json/record.js';
import { formKindOf } from '../operation/media-type.js';
import type { Field, Operation, Parameter } from '../operation/operation.js';
import { createShape, type Shape } from './parameter-shape.js';
import { createPathReader } from './path-parameters.js';
import { createQueryReader } from './query-parameters.js';

/** Path parameters by their declared names, percent-encoded. */
export type PathParameters = Readonly<Record<string, string>>;

/** Where the parameters of a request stand, as they came in. */
export interface ParameterSource {
  readonly path: PathParameters;
  /** Without the question mark. */
  readonly query: string;
  readonly headers: { readonly cookie?: string | undefined };
  /** Each header line: its name, then its text. */
  readonly rawHeaders: readonly string[];
}

/** By location and name, as a request value has them. */
export type ParameterValues = Record<Parameter['in'], Record<string, JsonValue>>;

/** The parameters of a request as validators want them, and their exact integers beside them. */
export interface SplitParameters {
  readonly values: ParameterValues;
  /** By location, then by name. */
  readonly integers: IntegerParts;
}

/** @throws ApiError 40004 where a parameter isn't written as its style says */
export type ReadParameters = (source: ParameterSource) => SplitParameters;

/** The styles of each location (OpenAPI 3.1.0 §4.8.12.3). */
const STYLES: Readonly<Record<Parameter['in'], readonly string[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

/**
 * Builds the reader of an operation's parameters, by their styles and schemas. Whether the values are
 * right, and whether all that are required are there, is for the validator to say.
 * @param reportProblem gets what can't be read
 * @param ignoredQueryNames names that may be in the query and are no parameter, such as an API key's
 */
export function createParameterReader(
  document: ContractDocument,
  operation: Operation,
  reportProblem: (problem: ContractProblem) => void,
  ignoredQueryNames: ReadonlySet<string> = new Set(),
): ReadParameters {
  const report = ({ name, in: location }: Field, what: string): void => {
    reportProblem({ place: `${operation.operationId}: parameter ${name} in ${location}`, what });
  };
  checkParameters(operation, report);
  const shapes = new Map<Field, Shape>();
  const shapeOf = (parameter: Field): Shape => {
    const shape = shapes.get(parameter) ?? createShape(document, [parameter.schema]);
    shapes.set(parameter, shape);
    return shape;
  };
  const located = (location: Parameter['in']): Parameter[] =>
    operation.parameters.filter((parameter) => parameter.in === location);

  const readPath = createPathReader(located('path'), shapeOf);
  const readQuery = createQueryReader(located('query'), shapeOf, ignoredQueryNames, report);
  const readHeader = createHeaderReader(located('header'), shapeOf);
  const readCookie = createCookieReader(located('cookie'), shapeOf);
  const hasNone = operation.parameters.length === 0;

  return ({ path, query, headers, rawHeaders }) => {
    if (hasNone && query === '') return NO_PARAMETERS;
    const values: ParameterValues = {
      path: readPath(path),
      query: readQuery(query),
      header: readHeader(rawHeaders),
      cookie: readCookie(headers.cookie ?? ''),
    };
    return holdsBigint(values) ? splitValues(values) : { values, integers: NO_INTEGERS };
  };
}

/** Shared by all requests that have none, whose handlers could not write them. */
const NOTHING: Record<string, JsonValue> = Object.freeze({});
const NO_INTEGERS: IntegerParts = Object.freeze({});
const NO_VALUES = { path: NOTHING, query: NOTHING, header: NOTHING, cookie: NOTHING };
const NO_PARAMETERS: SplitParameters = { values: NO_VALUES, integers: NO_INTEGERS };

function checkParameters(
  { parameters }: Operation,
  report: (parameter: Parameter, problem: string) => void,
): void {
  const seen = new Set<string>();
  for (const parameter of parameters) {
    const { name, in: location, style, mediaType, isWholeQuery } = parameter;
    if (isWholeQuery) checkWholeQuery(parameter, parameters, report);
    if (mediaType === undefined && !STYLES[location].includes(style)) {
      report(parameter, `style ${style} is not one of ${STYLES[location].join(', ')}`);
    }
    const key = `${location} ${nameIn(location, name)}`;
    if (seen.has(key)) report(parameter, 'another parameter differs from it by case only');
    seen.add(key);
  }
}

/** OpenAPI 3.2.0 §4.12.1: nothing else is in the query. */
function checkWholeQuery(
  parameter: Parameter,
  parameters: readonly Parameter[],
  report: (parameter: Parameter, problem: string) => void,
): void {
  if (parameters.some((other) => other.in === 'query' && other !== parameter)) {
    report(parameter, 'is the whole query, and another parameter is in it');
  }
  if (parameter.mediaType !== undefined && formKindOf(parameter.mediaType) !== undefined) {
    report(parameter, `the encoding of its ${parameter.mediaType} is not supported`);
  }
}

function holdsBigint(value: JsonValue): boolean {
  if (typeof value === 'bigint') return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsBigint);
}

function splitValues({ path, query, header, cookie }: ParameterValues): SplitParameters {
  const integers: IntegerParts = {};
  function split(location: Parameter['in'], values: Record<string, JsonValue>) {
    const doubles = createRecord<JsonValue>();
    const located: IntegerParts = createRecord();
    for (const [name, exact] of Object.entries(values)) {
      const parameter = splitIntegers(exact);
      doubles[name] = parameter.value;
      if (parameter.integers !== undefined) located[name] = parameter.integers;
    }
    integers[location] = located;
    return doubles;
  }
  return {
    values: {
      path: split('path', path),
      query: split('query', query),
      header: split('header', header),
      cookie: split('cookie', cookie),
    },
    integers,
  };
}
