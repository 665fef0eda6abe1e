import { child, children, isObject, valueAt, type JsonObject, type Place } from './document.js';
import type { Exchange, Problem } from './exchange.js';
import { readJson, withBigints, type ExactJson } from './exact-json.js';
import { isSequence, itemSchema, readItems } from './items.js';
import { arrayOf, valueOf } from './message-values.js';
import { declaredAs, declaredMediaType, isJson, type Operation } from './operations.js';
import type { Applied, Validate } from './validator.js';

export interface ResponseVerdict {
  /** What the status and the media type are declared as; undefined where they aren't. */
  readonly declared: string | undefined;
  readonly mediaType: string | undefined;
  readonly problems: readonly Problem[];
  /** The JSON body, a `bigint` wherever its schema says int64; undefined where it isn't JSON. */
  readonly body: unknown;
}

/** Holds a response against what its operation declares: status, headers, media type and body. */
export function checkResponse(
  root: JsonObject,
  operation: Operation,
  exchange: Exchange,
  validate: Validate,
): ResponseVerdict {
  const { method, status, headers, text } = exchange;
  const declared = declaredAs(operation, status);
  const response = declared === undefined ? undefined : operation.responses.get(declared);
  if (response === undefined) {
    const expected = `one of the declared ${[...operation.responses.keys()].join(', ')}`;
    const problems = [{ pointer: '/status', expected, received: status }];
    return { declared, mediaType: undefined, problems, body: undefined };
  }
  const problems = headerProblems(root, response, headers, validate);
  const content = child(root, response, 'content');
  const contentType = headers['content-type'] ?? '';
  const mediaType = declaredMediaType(content, contentType);
  const known = { declared, mediaType, problems };

  if (content === undefined || Object.keys(content.value).length === 0) {
    if (text !== '') problems.push({ pointer: '/body', expected: 'no body', received: text });
    return { ...known, body: undefined };
  }
  if (mediaType === undefined) {
    problems.push({
      pointer: '/headers/content-type',
      expected: `one of ${Object.keys(content.value).join(', ')}`,
      received: headers['content-type'],
    });
    return { ...known, body: undefined };
  }
  // The answer to HEAD has the headers of a body, and none (RFC 9110 §9.3.2).
  if (method === 'HEAD') return { ...known, body: undefined };
  const place = child(root, content, mediaType);
  const schema = place && child(root, place, 'schema');
  const item = place && itemSchema(root, place);
  if (item !== undefined && isSequence(contentType)) {
    return { ...known, body: itemsIn(root, item, contentType, text, validate, problems) };
  }
  if (!isJson(contentType)) {
    problems.push(...textProblems(schema, contentType, text, validate));
    return { ...known, body: undefined };
  }

  try {
    const json = readJson(text);
    if (schema === undefined) return { ...known, body: json.value };
    const verdict = validate(schema.pointer, json);
    for (const { pointer, expected, received } of verdict.problems) {
      problems.push({ pointer: `/body${pointer}`, expected, received });
    }
    const int64s = verdict.applied.filter(({ at }) => isInt64(root, at));
    return {
      ...known,
      body: withBigints(
        json,
        int64s.map(({ pointer }) => pointer),
      ),
    };
  } catch (error) {
    problems.push({ pointer: '/body', expected: `JSON: ${String(error)}`, received: text });
    return { ...known, body: undefined };
  }
}

/** The items of a body, each held against their schema. */
function itemsIn(
  root: JsonObject,
  schema: Place,
  contentType: string,
  text: string,
  validate: Validate,
  problems: Problem[],
): unknown {
  try {
    return readItems(contentType, text).map((json, index) => {
      const verdict = validate(schema.pointer, json, { content: true });
      for (const { pointer, expected, received } of verdict.problems) {
        problems.push({ pointer: `/body/${index}${pointer}`, expected, received });
      }
      return valueOfItem(root, json, verdict.applied);
    });
  } catch (error) {
    problems.push({ pointer: '/body', expected: `items: ${String(error)}`, received: text });
    return undefined;
  }
}

/** An item as its types have it: int64 exact, the data of an event as what its JSON says. */
function valueOfItem(root: JsonObject, { value, numbers }: ExactJson, applied: readonly Applied[]) {
  const content = applied.find(
    ({ at, pointer }) => at.endsWith('/contentSchema') && pointer === '/data',
  );
  const isEvent = content !== undefined && isObject(value);
  const all = new Map([...numbers, ...(content?.numbers ?? [])]);
  const int64s = applied.filter(({ at }) => isInt64(root, at)).map(({ pointer }) => pointer);
  const whole = isEvent ? { ...value, data: content.part } : value;
  return withBigints({ value: whole, numbers: all }, int64s);
}

/** A text is a value where its schema means one; how others are written the contract doesn't say. */
function textProblems(
  schema: Place | undefined,
  contentType: string,
  text: string,
  validate: Validate,
): Problem[] {
  const isText = /^text\//i.test(contentType);
  if (schema === undefined || !isText || ['object', 'array'].includes(String(schema.value.type))) {
    return [];
  }
  return validate(schema.pointer, valueOf(text, schema.value)).problems.map(
    ({ expected, received }) => ({ pointer: '/body', expected, received }),
  );
}

function headerProblems(
  root: JsonObject,
  response: Place,
  headers: Exchange['headers'],
  validate: Validate,
): Problem[] {
  return children(root, response, 'headers').flatMap(([name, header]): Problem[] => {
    const pointer = `/headers/${name.toLowerCase()}`;
    const text = headers[name.toLowerCase()];
    // A header of this name has its media type where the body's is declared (§4.8.17).
    if (name.toLowerCase() === 'content-type') return [];
    if (text === undefined) {
      const isRequired = header.value.required === true;
      return isRequired ? [{ pointer, expected: 'is required', received: undefined }] : [];
    }
    const schema = child(root, header, 'schema');
    if (schema === undefined) return [];
    const value =
      schema.value.type === 'array'
        ? arrayOf(
            text.split(',').map((item) => item.trim()),
            schema.value,
          )
        : valueOf(text, schema.value);
    return validate(schema.pointer, value).problems.map((problem) => ({
      pointer: pointer + problem.pointer,
      expected: problem.expected,
      received: problem.received,
    }));
  });
}

/** Whether the generated types have a `bigint` there. */
function isInt64(root: JsonObject, at: string): boolean {
  const schema = valueAt(root, at);
  if (!isObject(schema)) return false;
  const constants: unknown[] = [schema.const, schema.enum].flat();
  const isBeyond = constants.some((constant) => typeof constant === 'bigint');
  return isBeyond || schema.format === 'int64' || schema.format === 'uint64';
}
