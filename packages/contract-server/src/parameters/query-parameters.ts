import { createContentReader } from './content-parameter.js';
import { createFieldReader, ENCODED_DELIMITERS } from './field-reader.js';
import type { JsonValue } from '../json/json-value.js';
import { createRecord } from '../json/record.js';
import type { Field, Parameter } from '../operation/operation.js';
import { readAs } from './malformed-parameter.js';
import type { Shape } from './parameter-shape.js';
import { readOnce } from './parameter-style.js';
import { decodeQuery, decodeTarget } from './percent-encoding.js';
import { parseQuery } from './query-string.js';

/**
 * Reads the query parameters. A name that belongs to none of them, nor is to be ignored, stays in what
 * is read, so that the schema refuses it.
 */
export function createQueryReader(
  parameters: readonly Parameter[],
  shapeOf: (field: Field) => Shape,
  ignoredNames: ReadonlySet<string>,
  report: (field: Field, problem: string) => void,
): (query: string) => Record<string, JsonValue> {
  const whole = parameters.find(
    ({ isWholeQuery, mediaType }) => isWholeQuery && mediaType !== undefined,
  );
  if (whole !== undefined) return createWholeQueryReader(whole);
  const readPairs = createFieldReader(
    parameters,
    shapeOf,
    {
      location: 'query',
      decode: decodeQuery,
      // Where reserved characters need no encoding, a plus means a plus (OpenAPI 3.1.0 §4.8.12.2).
      decodeReserved: decodeTarget,
      delimiters: ENCODED_DELIMITERS,
      readContent: ({ mediaType = '' }) => {
        const readContent = createContentReader(mediaType);
        return (texts) => readContent(readOnce(texts));
      },
      readOther: (_name, texts) => texts.map(decodeQuery).at(-1),
      ignoredNames,
    },
    report,
  );
  return (query) => (query === '' ? createRecord() : readPairs(parseQuery(query)));
}

/** OpenAPI 3.2.0 §4.12.1: the query is one text of a media type that isn't a form's, percent-encoded. */
function createWholeQueryReader(
  parameter: Parameter,
): (query: string) => Record<string, JsonValue> {
  const readContent = createContentReader(parameter.mediaType ?? '');
  return (query) => {
    const values = createRecord<JsonValue>();
    if (query === '') return values;
    values[parameter.name] = readAs(parameter, () => readContent(decodeTarget(query)));
    return values;
  };
}
