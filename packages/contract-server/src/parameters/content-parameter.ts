import { parseJson } from '../json/json.js';
import { JsonError, type JsonValue } from '../json/json-value.js';
import { MalformedParameterError } from './malformed-parameter.js';

/** Reads the decoded text of a parameter that has `content` instead of a style. */
export type ReadContent = (text: string) => JsonValue;

const JSON_MEDIA_TYPE = /^[^;]*[/+]json *(?:;|$)/i;

/**
 * OpenAPI 3.1.0 §4.8.12.2: the media type says how the value is written. JSON is parsed; the text of any
 * other media type is the value.
 */
export function createContentReader(mediaType: string): ReadContent {
  if (!JSON_MEDIA_TYPE.test(mediaType)) return (text) => text;
  return (text) => {
    try {
      return parseJson(text);
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      throw new MalformedParameterError(`is not valid JSON: ${error.message}`);
    }
  };
}
