import { integerFormats } from '../../schema/integers.js';
import type { Rule } from './rule.js';

/** The formats that the validator checks; a test holds this list against its own. */
export const CHECKED_FORMATS: ReadonlySet<string> = new Set([
  ...Object.keys(integerFormats),
  ...['float', 'double', 'byte', 'binary', 'password'],
  ...['date', 'time', 'date-time', 'iso-time', 'iso-date-time', 'duration'],
  ...['uri', 'uri-reference', 'uri-template', 'url', 'email', 'hostname', 'ipv4', 'ipv6'],
  ...['regex', 'uuid', 'json-pointer', 'json-pointer-uri-fragment', 'relative-json-pointer'],
]);

/** OpenAPI 3.1 §4.4: `format` is open-valued, and one that a tool doesn't know falls back to the type. */
export const dropUnknownFormats: Rule = (_schema, draft, { warn }) => {
  if (typeof draft.format !== 'string' || CHECKED_FORMATS.has(draft.format)) return;
  warn(`format ${draft.format} is not known, and is not checked`);
  Reflect.deleteProperty(draft, 'format');
};
