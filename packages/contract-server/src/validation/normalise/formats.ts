import type { TextFormats } from '../../document/text-format.js';
import { integerFormats } from '../../schema/integers.js';
import type { Rule } from './rule.js';

const NUMBER_FORMATS: ReadonlySet<string> = new Set([
  ...Object.keys(integerFormats),
  ...['float', 'double'],
]);

/** The formats that the validator checks; a test holds this list against its own. */
export const CHECKED_FORMATS: ReadonlySet<string> = new Set([
  ...NUMBER_FORMATS,
  ...['byte', 'binary', 'password'],
  ...['date', 'time', 'date-time', 'iso-time', 'iso-date-time', 'duration'],
  ...['uri', 'uri-reference', 'uri-template', 'url', 'email', 'hostname', 'ipv4', 'ipv6'],
  ...['regex', 'uuid', 'json-pointer', 'json-pointer-uri-fragment', 'relative-json-pointer'],
]);

/** OpenAPI 3.1 §4.4: `format` is open-valued, and one that a tool doesn't know falls back to the type. */
export const dropUnknownFormats: Rule = (_schema, draft, { document, warn }) => {
  if (typeof draft.format !== 'string' || CHECKED_FORMATS.has(draft.format)) return;
  if (document.formatOf(draft.format)?.validate !== undefined) return;
  warn(`format ${draft.format} is not known, and is not checked`);
  Reflect.deleteProperty(draft, 'format');
};

/** Adds to `problems` what is wrong with the formats that a service knows by itself. */
export function checkFormats(formats: TextFormats, problems: string[]): void {
  for (const [name, { validate, parse, write }] of Object.entries(formats)) {
    const report = (problem: string): unknown => problems.push(`format ${name}: ${problem}`);
    if (NUMBER_FORMATS.has(name)) report('is one of numbers, and texts have formats of their own');
    else if (!CHECKED_FORMATS.has(name) && validate === undefined) report('needs a validate');
    if ((parse === undefined) !== (write === undefined)) report('needs both parse and write');
  }
}
