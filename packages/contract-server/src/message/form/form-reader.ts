import type { ContractDocument } from '../../document/document.js';
import type { JsonValue } from '../../json/json-value.js';
import type { Form } from '../../operation/form.js';
import type { Field } from '../../operation/operation.js';
import { createContentReader } from '../../parameters/content-parameter.js';
import {
  createFieldReader,
  ENCODED_DELIMITERS,
  type FieldNotation,
} from '../../parameters/field-reader.js';
import { createShape, type Shape } from '../../parameters/parameter-shape.js';
import { readItems, readOnce, readRepeated } from '../../parameters/parameter-style.js';
import { decodeQuery, decodeTarget } from '../../parameters/percent-encoding.js';
import type { Pair } from '../../parameters/query-string.js';

/**
 * Makes the value of a form of the texts of its fields.
 * @throws ApiError 40004 where a field isn't written as the contract says
 */
export type ReadFields = (pairs: readonly Pair[]) => Record<string, JsonValue>;

/** How the texts of each kind of form are to be read. */
const NOTATIONS: Readonly<
  Record<Form['kind'], Pick<FieldNotation, 'decode' | 'decodeReserved' | 'delimiters'>>
> = {
  urlencoded: {
    decode: decodeQuery,
    decodeReserved: decodeTarget,
    delimiters: ENCODED_DELIMITERS,
  },
  // The content of a part isn't percent-encoded, so no item that stands in one can have a delimiter in it.
  multipart: {
    decode: (text) => text,
    decodeReserved: (text) => text,
    delimiters: { form: /,/, spaceDelimited: / /, pipeDelimited: /\|/ },
  },
};

/** @param report gets what can't be read */
export function createFieldsReader(
  document: ContractDocument,
  { kind, fields, others }: Form,
  report: (field: Field, problem: string) => void,
): ReadFields {
  const texts = fields.filter(({ isFile }) => !isFile);
  const saidToBeJson = new Set<Field>(texts.filter(({ contentTypes }) => contentTypes));
  const shapes = new Map<Field, Shape>(
    texts.map((field) => [field, createShape(document, [field.schema])]),
  );
  const anyOther = createShape(document, [others?.schema ?? {}]);
  const readOtherJson = createJsonReader(anyOther, false);
  const { decode } = NOTATIONS[kind];
  return createFieldReader(
    texts,
    (field) => shapes.get(field) ?? anyOther,
    {
      ...NOTATIONS[kind],
      location: 'body',
      readContent: (field, shape) => createJsonReader(shape, saidToBeJson.has(field)),
      readOther: (_name, values) => {
        if (anyOther.isObject) return readOtherJson(values.map(decode));
        return values.length > 1
          ? readItems(values, anyOther, decode)
          : readRepeated(values, anyOther, decode);
      },
      ignoredNames: new Set(),
    },
    report,
  );
}

/**
 * Reads JSON texts. A list is written as one of them, or as one for each of its items. Where the contract
 * doesn't say JSON, and the value may be a scalar as well, a text is JSON only if it looks like it.
 */
function createJsonReader(
  shape: Shape,
  isSaidToBeJson: boolean,
): (texts: readonly string[]) => JsonValue {
  const mayBeText = !isSaidToBeJson && shape.isScalar;
  const readJson = createContentReader('application/json');
  const read = (text: string): JsonValue =>
    mayBeText && !/^\s*[[{]/.test(text) ? shape.readScalar(text) : readJson(text);
  return (texts) => {
    if (!shape.isArray) return read(readOnce(texts));
    const values = texts.map(read);
    const [first] = values;
    return values.length === 1 && (Array.isArray(first) || shape.isScalar) ? (first ?? []) : values;
  };
}
