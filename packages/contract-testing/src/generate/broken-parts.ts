import { breakages } from './broken-values.js';
import type { Way } from './case.js';
import { textOfBody, writeRequest, type Draft } from './draft.js';
import { brokenForms } from './broken-forms.js';
import { brokenItems } from './broken-items.js';
import { duplicates, malformedTexts } from './broken-json.js';
import { isJsonObject, type Json } from './json.js';
import { encode, isWritable } from '../parameter-text.js';
import { withBody, withHeader } from './request.js';
import { readings } from './readings.js';
import type { Schemas } from './schemas.js';
import type { Caller } from './valid-requests.js';

/** Texts that are written like a number or a boolean in some language, but not in JSON. */
const LEXICAL = ['0x10', '+1', '.5', '1,5', '1_000', 'Infinity', 'NaN', 'True', 'yes', 'NULL', '१'];

/** Parameters that are missing, of another type, out of bounds, written otherwise or more than once. */
export function brokenParameters(schemas: Schemas, draft: Draft): Way[] {
  const { operation, parameters } = draft;
  const ways: Way[] = [];
  for (const [parameter, value] of parameters) {
    const { name, in: location, required, schema, isJson } = parameter;
    const others = parameters.filter(([other]) => other !== parameter);
    const add = (
      broken: string,
      changed: Draft['parameters'],
      isTrulyBroken = () => true,
    ): void => {
      const make = () => {
        if (!isTrulyBroken()) return undefined;
        return {
          request: writeRequest({ ...draft, parameters: changed }),
          statuses: [400],
          operation,
        };
      };
      ways.push({ broken: `${location} ${name} ${broken}`, make });
    };
    if (required && location !== 'path') add('required', others);
    const lexical = LEXICAL.map((text) => ({ what: 'lexical form', value: text }));
    for (const { what, value: wrong } of [...breakages(schemas, schema, value), ...lexical]) {
      const isTrulyBroken = (): boolean =>
        // A list of one is written like its item, and a list of names and values like an object.
        kindOf(wrong) === kindOf(value) &&
        isWritable(parameter, wrong) &&
        !readings(parameter, wrong).some((reading) => schemas.accepts(schema, reading));
      add(what, [...others, [parameter, wrong]], isTrulyBroken);
    }
    const isScalar = typeof value !== 'object' || value === null || isJson;
    if (!isScalar || (location !== 'query' && location !== 'header')) continue;
    add('given twice', [...parameters, [parameter, value]]);
    if (location === 'query') ways.push(malformedEncoding(draft, name));
  }
  return ways;
}

function kindOf(value: Json): 'list' | 'object' | 'scalar' {
  if (Array.isArray(value)) return 'list';
  return isJsonObject(value) ? 'object' : 'scalar';
}

function malformedEncoding(draft: Draft, name: string): Way {
  const text = `${encode(name)}=`;
  return {
    broken: `query ${name} percent-encoding`,
    make() {
      const request = writeRequest(draft);
      const target = request.target.replace(text, `${text}%zz%`);
      return { request: { ...request, target }, statuses: [400], operation: draft.operation };
    },
  };
}

/** Bodies that are missing, malformed, too large, of a wrong media type or not what the schema says. */
export function brokenBodies(schemas: Schemas, draft: Draft, { maxBodyBytes }: Caller): Way[] {
  const { operation, body } = draft;
  if (operation.body === undefined || body === undefined) return [];
  const { kind, schema } = body.declared;
  // Only who reads a body of items can tell that there is too much of it, or something else in it.
  const noticed = kind === 'items' && { midStream: {} };
  const ways: Way[] = [];
  const add = (broken: string, status: number, bytes: () => string | Buffer | undefined): void => {
    const make = () => {
      const request = withBody(writeRequest(draft), bytes());
      return { request, statuses: [status], operation, ...noticed };
    };
    ways.push({ broken, make });
  };
  const declare = (broken: string, name: string, ...values: string[]): void => {
    const make = () => {
      const request = withHeader(writeRequest(draft), name, ...values);
      return { request, statuses: [415], operation };
    };
    ways.push({ broken, make });
  };
  const declared = [...operation.body.content.keys()];
  if (operation.body.required) {
    add('body: required', 400, () => undefined);
    add('body: required', 400, () => '');
  }
  if (!declared.includes('*/*')) {
    declare('media type: missing', 'Content-Type');
    for (const wrong of ['text/x-other', 'application/jsonx', 'json', `x${body.mediaType}`]) {
      declare('media type: undeclared', 'Content-Type', wrong);
    }
  }
  for (const coding of ['gzip', 'br']) declare('content coding', 'Content-Encoding', coding);
  if (kind === 'bytes') return ways;
  if (kind === 'form') {
    const place = {
      name: 'body' as const,
      text: (text: string | Buffer) => withBody(writeRequest(draft), text),
      value: (value: Json) => writeRequest({ ...draft, body: { ...body, value } }),
    };
    return [...ways, ...brokenForms(schemas, operation, body, place)];
  }
  for (const charset of ['latin1', 'iso-8859-1', 'utf-16', '"us-ascii"', 'utf-8x']) {
    declare('charset', 'Content-Type', `${body.mediaType}; charset=${charset}`);
  }
  const text = textOfBody({ ...body, minBytes: 0 });
  add('body: too large', 413, () => text + ' '.repeat(maxBodyBytes + 1 - Buffer.byteLength(text)));
  add('body: UTF-8', 400, () => Buffer.concat([Buffer.from(text), Buffer.of(0xc3, 0x28)]));
  if (kind === 'items') return [...ways, ...brokenItems(schemas, draft, body, maxBodyBytes)];
  if (kind === 'json') {
    for (const malformed of malformedTexts(body)) add('body: JSON', 400, () => malformed);
    for (const doubled of duplicates(body)) add('body: member twice', 400, () => doubled);
  }
  for (const { what, value } of breakages(schemas, schema, body.value)) {
    const make = () => {
      const isText = typeof value === 'string' && value !== '';
      if ((kind === 'text' && !isText) || schemas.accepts(schema, value)) return undefined;
      const request = writeRequest({ ...draft, body: { ...body, value, minBytes: 0 } });
      // One that is too large as well is broken in two ways.
      if ((request.body?.length ?? 0) > maxBodyBytes) return undefined;
      return { request, statuses: [400], operation };
    };
    ways.push({ broken: `body ${what}`, make });
  }
  return ways;
}
