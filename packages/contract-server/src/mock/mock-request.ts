import { isObject, type ContractDocument } from '../document/document.js';
import { formOf } from '../operation/form.js';
import type { Operation, Parameter } from '../operation/operation.js';
import { listItems, typedItem, type DeclaredItems } from '../operation/items.js';
import { writeItem } from '../items/write-item.js';
import { bodyKindOf } from '../operation/media-type.js';
import { Choices } from './choices.js';
import { mockedContent } from './mock-response.js';
import { writeForm } from './mock-form.js';
import { ValueMaker } from './value-maker.js';

/** A request that an operation might accept: the parameters and the body that it can't be without. */
export interface MockRequest {
  readonly parameters: readonly { readonly parameter: Parameter; readonly value: unknown }[];
  readonly contentType?: string;
  /** As it is written, where it is a form. */
  readonly body?: unknown;
}

const MADE_REQUESTS = 50;

/** Requests to try, the first made of the contract's examples; optional bodies are sent too. */
export function* candidateRequests(
  document: ContractDocument,
  { parameters, requestBody }: Operation,
): Generator<MockRequest> {
  const [contentType, media] = mockedContent(requestBody?.content ?? []);
  for (let attempt = 0; attempt <= MADE_REQUESTS; attempt++) {
    const choices = new Choices(Math.max(0, attempt - 1));
    const maker = new ValueMaker(document, {
      direction: 'request',
      choices,
      useExamples: attempt === 0,
    });
    const values = parameters
      .filter(({ required }) => required)
      .map((parameter) => ({ parameter, value: maker.make(parameter.schema) }));
    if (values.some(({ value }) => value === undefined)) continue;
    if (contentType === undefined || media === undefined) {
      yield { parameters: values };
      continue;
    }
    const form = formOf(document, contentType, media);
    if (form !== undefined) {
      const value = maker.make(media.schema ?? true);
      if (isObject(value)) yield { parameters: values, ...writeForm(form, contentType, value) };
      continue;
    }
    const items = listItems(document, [[contentType, media]]).get(contentType);
    let body: unknown = 'example';
    if (items !== undefined) {
      body = textOfItem(items, maker.make(typedItem(document, contentType, media)));
    } else if (bodyKindOf(contentType) !== 'stream') body = maker.make(media.schema ?? true);
    if (body !== undefined) yield { parameters: values, contentType, body };
  }
}

/** A body of one item; undefined where none was made that can be written. */
function textOfItem(declared: DeclaredItems, item: unknown): string | undefined {
  try {
    return writeItem(declared, item).text;
  } catch {
    return undefined;
  }
}
