import { compareConstraints } from './constraints.js';
import type { FlatSchema } from './flat-schema.js';

/** Formats whose every value another format admits too. */
const WIDER_FORMATS: Readonly<Record<string, readonly string[]>> = {
  int32: ['int64'],
  uint32: ['int64', 'uint64'],
  email: ['idn-email'],
  hostname: ['idn-hostname'],
  uri: ['uri-reference', 'iri', 'iri-reference'],
  iri: ['iri-reference'],
};

/** Formats that refuse nothing: how to show a text, what bytes are, which numbers JSON has anyway. */
const HINTS = ['password', 'binary', 'double'];

export const compareFormats = compareConstraints<string>({
  keyword: 'format',
  beside: ['contentEncoding'],
  types: ['string', 'integer', 'number'],
  undecidable: true,
  read: formatsOf,
  implies: (stronger, weaker) =>
    stronger === weaker || (WIDER_FORMATS[stronger]?.includes(weaker) ?? false),
});

/** What OpenAPI 3.0 calls `format: byte` is `contentEncoding: base64` since 3.1 (3.1 §4.8.14.2). */
function formatsOf({ atoms }: FlatSchema): string[] {
  return atoms.flatMap(({ format, contentEncoding }) => [
    ...(typeof format === 'string' && !HINTS.includes(format) ? [format] : []),
    ...(typeof contentEncoding === 'string' ? [ENCODINGS[contentEncoding] ?? contentEncoding] : []),
  ]);
}

const ENCODINGS: Readonly<Record<string, string>> = { base64: 'byte' };
