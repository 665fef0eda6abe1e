import fc from 'fast-check';
import type { DeclaredMedia, DeclaredResponse } from './operation.js';
import { isWritableItems, Items } from './items.js';
import { textOf } from '../parameter-text.js';
import type { Values } from './values.js';

/** A response as a handler returns it. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType?: string;
  readonly body?: unknown;
}

/** Responses as the contract declares them, one arbitrary for each media type. */
export function answersOf(
  status: number,
  { headers, content }: DeclaredResponse,
  values: Values,
): fc.Arbitrary<Answer>[] {
  const headerValues = fc
    .tuple(
      ...headers.map(({ name, schema, required }) => {
        const text = values
          .valid(schema)
          .map(textOf)
          .filter((one) => /^[!-~]([ -~]*[!-~])?$/.test(one));
        const present = text.map((one): [string, string][] => [[name, one]]);
        return required ? present : fc.oneof(fc.constant<[string, string][]>([]), present);
      }),
    )
    .map((found) => Object.fromEntries(found.flat()));
  if (content.size === 0) return [headerValues.map((found) => ({ status, headers: found }))];
  return [...content].map(([mediaType, media]) =>
    fc.record({
      status: fc.constant(status),
      headers: headerValues,
      contentType: fc.constant(mediaType),
      body: bodiesOf(mediaType, media, values),
    }),
  );
}

function bodiesOf(
  mediaType: string,
  { kind, schema }: DeclaredMedia,
  values: Values,
): fc.Arbitrary<unknown> {
  switch (kind) {
    case 'bytes':
      return fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array));
    case 'items':
      return values
        .valid(schema)
        .filter((value) => isWritableItems(mediaType, value))
        .map((value) => new Items(value));
    default:
      return values.valid(schema);
  }
}
