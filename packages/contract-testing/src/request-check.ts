import { child, type JsonObject, type Place } from './document.js';
import type { Exchange, Problem } from './exchange.js';
import { readJson, type ExactJson } from './exact-json.js';
import { isForm } from './form-field.js';
import { readForm } from './read-form.js';
import { isSequence, itemSchema, readItems } from './items.js';
import { querystringOf, readQuerystring } from './querystring.js';
import { arrayOf, isRead, textsOf, valueOf, type Sources } from './message-values.js';
import { declaredMediaType, isJson, type Match } from './operations.js';
import type { SchemaProblem } from './schema-problem.js';
import type { Applied, Validate, ValidateOptions } from './validator.js';

/** A constraint of the contract, by its place, and whether a request kept it. */
export interface Finding {
  readonly constraint: string;
  readonly isKept: boolean;
}

export interface RequestVerdict {
  /** Whether the contract allows the request; undefined where a part of it can't be judged here. */
  readonly isValid: boolean | undefined;
  readonly problems: readonly Problem[];
  /** The schemas that parts of the request were held against, and what was against them. */
  readonly applied: readonly Applied[];
  /** The constraints beside those of schemas: what is required, and the media types. */
  readonly findings: readonly Finding[];
}

/** Stands in a constraint's pointer for: the body is well-formed JSON, as its media type says. */
export const JSON_TEXT = '(JSON)';

/** Holds a request against what its operation declares: parameters, media type and body. */
export function checkRequest(
  root: JsonObject,
  match: Match,
  exchange: Exchange,
  validate: Validate,
): RequestVerdict {
  const problems: Problem[] = [];
  const applied: Applied[] = [];
  const findings: Finding[] = [];
  const unjudged: string[] = [];

  const parts: Parts = {
    expect(constraint, isKept, problem) {
      findings.push({ constraint, isKept });
      if (!isKept) problems.push(problem);
    },
    hold(schema, pointer, json, options) {
      const verdict = validate(schema.pointer, json, options);
      applied.push(...verdict.applied);
      for (const problem of verdict.problems) problems.push(below(pointer, problem));
    },
    giveUp: (pointer) => unjudged.push(pointer),
  };
  checkParameters(root, match, exchange, parts);
  checkQuerystring(root, match, exchange, parts);
  checkBody(root, match, exchange, parts);

  const isValid = problems.length > 0 ? false : unjudged.length === 0 ? true : undefined;
  return { isValid, problems, applied, findings };
}

/** Where what is found out about the parts of a request goes. */
interface Parts {
  readonly expect: (constraint: string, isKept: boolean, problem: Problem) => void;
  readonly hold: (
    schema: Place,
    pointer: string,
    json: ExactJson,
    options?: ValidateOptions,
  ) => void;
  readonly giveUp: (pointer: string) => void;
}

function checkParameters(
  root: JsonObject,
  { operation, path }: Match,
  { target, requestHeaders }: Exchange,
  { expect, hold, giveUp }: Parts,
): void {
  const [, query = ''] = target.split(/\?(.*)/s);
  const sources: Sources = { path, query: new URLSearchParams(query), headers: requestHeaders };
  for (const parameter of operation.parameters) {
    const { in: where, name, required } = parameter.value;
    if (where === 'querystring') continue;
    const schema = child(root, parameter, 'schema');
    const pointer = `/${String(where)}/${String(name)}`;
    if (schema === undefined || !isRead(parameter, schema.value)) {
      giveUp(pointer);
      continue;
    }
    const texts = textsOf(parameter, schema.value, sources);
    const [first] = texts;
    if (required === true) {
      const problem = { pointer, expected: 'is required', received: undefined };
      expect(`${parameter.pointer}/required`, first !== undefined, problem);
    }
    if (first === undefined) continue;
    const isArray = [schema.value.type].flat().includes('array');
    const value = isArray ? arrayOf(texts, schema.value) : valueOf(first, schema.value);
    hold(schema, pointer, value);
  }
}

function checkQuerystring(
  root: JsonObject,
  { operation }: Match,
  { target }: Exchange,
  { expect, hold, giveUp }: Parts,
): void {
  const querystring = querystringOf(root, operation);
  if (querystring === undefined) return;
  const { name, parameter, contentType, media } = querystring;
  const [, query = ''] = target.split(/\?(.*)/s);
  const pointer = `/query/${name}`;
  if (parameter.value.required === true) {
    const problem = { pointer, expected: 'is required', received: undefined };
    expect(`${parameter.pointer}/required`, query !== '', problem);
  }
  const schema = child(root, media, 'schema');
  if (query === '' || schema === undefined) return;
  const { json, isGuessed } = readQuerystring(root, querystring, schema, query);
  if (isGuessed) giveUp(pointer);
  else if (json !== undefined) hold(schema, pointer, json);
  else expect(media.pointer, false, { pointer, expected: contentType, received: query });
}

function checkBody(
  root: JsonObject,
  { operation: { requestBody } }: Match,
  { requestHeaders, requestBody: text }: Exchange,
  { expect, hold, giveUp }: Parts,
): void {
  const content = requestBody && child(root, requestBody, 'content');
  if (requestBody === undefined || content === undefined) return;
  const pointer = '/body';
  if (text === undefined) {
    giveUp(pointer);
    return;
  }
  if (requestBody.value.required === true) {
    const problem = { pointer, expected: 'is required', received: undefined };
    expect(`${requestBody.pointer}/required`, text !== '', problem);
  }
  if (text === '') return;
  const contentType = requestHeaders['content-type'] ?? '';
  const mediaType = declaredMediaType(content, contentType);
  expect(content.pointer, mediaType !== undefined, {
    pointer: '/headers/content-type',
    expected: `one of ${Object.keys(content.value).join(', ')}`,
    received: contentType,
  });
  if (mediaType === undefined) return;
  const declared = child(root, content, mediaType);
  const item = declared && itemSchema(root, declared);
  const schema = declared && child(root, declared, 'schema');
  if (item !== undefined && isSequence(contentType)) {
    const items = attempt(() => readItems(contentType, text));
    const problem = { pointer, expected: 'items, each of them JSON', received: text };
    expect(`${content.pointer}/${JSON_TEXT}`, items !== undefined, problem);
    for (const [index, json] of items?.entries() ?? []) {
      hold(item, `/body/${index}`, json, { content: true });
    }
  } else if (declared !== undefined && schema !== undefined && isForm(contentType)) {
    const { json, isGuessed } = readForm(root, declared, schema, contentType, text);
    if (isGuessed) giveUp(pointer);
    else if (json !== undefined) hold(schema, pointer, json);
    else expect(content.pointer, false, { pointer, expected: 'a form', received: text });
  } else if (schema !== undefined && isJson(contentType)) {
    const json = attempt(() => readJson(text));
    const problem = { pointer, expected: 'JSON', received: text };
    expect(`${content.pointer}/${JSON_TEXT}`, json !== undefined, problem);
    if (json !== undefined) hold(schema, pointer, json);
  } else {
    giveUp(pointer);
  }
}

function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function below(pointer: string, problem: SchemaProblem): Problem {
  const { expected, received } = problem;
  return { pointer: pointer + problem.pointer, expected, received };
}
