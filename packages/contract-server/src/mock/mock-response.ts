import {
  isObject,
  type ContractDocument,
  type MediaTypeObject,
  type ResponseObject,
} from '../document/document.js';
import { typedItem } from '../operation/items.js';
import { bodyKindOf, sendableTypes } from '../operation/media-type.js';
import type { Operation } from '../operation/operation.js';
import { Choices } from './choices.js';
import { ValueMaker } from './value-maker.js';

/** A response that is made from what the contract declares. */
export interface MockResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType?: string;
  readonly body?: unknown;
}

/** Headers that a service gives its responses by itself. */
const OWN_HEADERS = /^(content-type|content-length|date|connection|x-request-id)$/i;
/** How many responses are made, at most, in search of one that the contract's schemas accept. */
const MADE_RESPONSES = 200;

/**
 * Responses to try, the best first: the contract's own examples of the response, a value made of the
 * examples of its schemas, then values that are made from the schemas alone.
 */
export function* candidateResponses(
  document: ContractDocument,
  operation: Operation,
): Generator<MockResponse> {
  const [status, response] = successOf(operation);
  const [contentType, media] = mockedContent(Object.entries(response.content ?? {}));
  const attempts = [
    { number: 0, useExamples: true },
    ...Array.from({ length: MADE_RESPONSES }, (_, number) => ({ number, useExamples: false })),
  ];
  for (const [index, { number, useExamples }] of attempts.entries()) {
    const choices = new Choices(number);
    const maker = new ValueMaker(document, { direction: 'response', choices, useExamples });
    const headers = headersOf(response, maker);
    if (contentType === undefined) {
      yield { status, headers };
      continue;
    }
    const examples = index === 0 ? namedExamples(document, media) : [];
    const item = media && typedItem(document, contentType, media);
    const bodies = [...examples, maker.make(item ?? media?.schema ?? true)];
    for (const body of bodies) {
      if (body === undefined) continue;
      const sent = item === undefined ? bodyOf(contentType, body) : itemsOf(body);
      yield { status, headers, contentType, body: sent };
    }
  }
}

/** The response that an operation answers with: its first success, or else whatever it declares first. */
function successOf({ operationId, responses }: Operation): [number, ResponseObject] {
  const declared = [...responses];
  const found =
    declared.find(([key]) => key.startsWith('2')) ??
    declared.find(([key]) => key.startsWith('3')) ??
    declared.find(([key]) => key === 'default') ??
    declared[0];
  if (found === undefined) throw new Error(`${operationId}: declares no response`);
  const [key, response] = found;
  return [key === 'default' ? 200 : Number(key.replaceAll(/x/gi, '0')), response];
}

/** JSON where there is a choice: of it, schemas say the most. Of a range, one of the types in it. */
export function mockedContent(
  content: Iterable<readonly [string, MediaTypeObject]>,
): readonly [string, MediaTypeObject] | readonly [] {
  const sendable = [...content].flatMap(([declared, media]) => {
    const types = sendableTypes(declared);
    return (types.length > 0 ? types : [declared.replace('*', 'x')]).map(
      (type) => [type, media] as const,
    );
  });
  return sendable.find(([type]) => bodyKindOf(type) === 'json') ?? sendable[0] ?? [];
}

/** The examples of a Media Type Object, or a Header Object: one value, or several with names. */
function namedExamples(document: ContractDocument, object: unknown): unknown[] {
  if (!isObject(object)) return [];
  const named = isObject(object.examples) ? Object.values(object.examples) : [];
  const values = named.map((example) => document.resolve(example)).filter(isObject);
  return [object.example, ...values.map(({ value }) => value)].filter((one) => one !== undefined);
}

function headersOf({ headers = {} }: ResponseObject, maker: ValueMaker): Record<string, string> {
  const { document, options } = maker;
  const entries = Object.entries(headers).flatMap(([name, unresolved]) => {
    const header = document.resolve(unresolved);
    const [example] = options.useExamples ? namedExamples(document, header) : [];
    const value = example ?? maker.make(header.schema ?? true);
    return value === undefined || OWN_HEADERS.test(name) ? [] : [[name, simple(value)]];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

/** OpenAPI 3.1.0 §4.8.12.4, style simple, not exploded: how a header holds a list or an object. */
function simple(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(',');
  return isObject(value) ? Object.entries(value).flat().map(String).join(',') : String(value);
}

/** A list of items, or one, for as many requests as there are. */
function itemsOf(value: unknown): AsyncIterable<unknown> {
  return {
    async *[Symbol.asyncIterator]() {
      for (const item of [value].flat()) yield await Promise.resolve(item);
    },
  };
}

/** A body of text or bytes is written as it stands; of what else a schema describes, a line says so. */
function bodyOf(contentType: string, value: unknown): unknown {
  if (bodyKindOf(contentType) === 'json' || typeof value === 'string') return value;
  return /[/+]xml$/.test(contentType) ? '<?xml version="1.0"?>\n<example/>\n' : 'example\n';
}
