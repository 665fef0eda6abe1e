import { isUtf8 } from 'node:buffer';
import { malformedForm } from './malformed-form.js';

/** What the header of a part says (RFC 7578 §4). */
export interface PartHeader {
  readonly name: string;
  /** The last step of what the client gave: a name, and never a path. */
  readonly filename: string | undefined;
  /** Whether it stands for a file that wasn't chosen, as browsers write it. */
  readonly isUnchosen: boolean;
  /** The values of each header, by name in lower case. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
}

const MAX_HEADER_BYTES = 16_384;
/** What a line has beside its name and its value: a colon, a space, and its end. */
const LINE_BYTES = 4;

const DISPOSITION = /^form-data(?=\s*(?:;|$))/i;
const PARAMETER = /\s*;\s*([!#$%&'*+.^`|~\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/y;

/**
 * Reads the header of a part, as a parser has found it: octets, a character each.
 * @throws ApiError 400
 */
export function readPartHeader(lines: Readonly<Record<string, readonly string[]>>): PartHeader {
  const headers = Object.fromEntries(
    Object.entries(lines).map(([name, values]) => [name, values.map(decode)]),
  );
  const size = Object.entries(lines)
    .flatMap(([name, values]) => values.map((value) => name.length + value.length + LINE_BYTES))
    .reduce((sum, length) => sum + length, 0);
  if (size > MAX_HEADER_BYTES) {
    throw malformedForm(`the header of a part is larger than ${MAX_HEADER_BYTES} bytes`);
  }
  for (const name of ['content-disposition', 'content-type', 'content-transfer-encoding']) {
    if ((headers[name]?.length ?? 0) > 1) throw malformedForm(`a part has ${name} twice`);
  }
  const parameters = readDisposition(headers['content-disposition']?.[0] ?? '');
  const name = parameters.get('name');
  if (name === undefined) throw malformedForm('a part has no name');
  const filename = parameters.get('filename');
  return { name, filename: lastStep(filename), isUnchosen: filename === '', headers };
}

/** RFC 7578 §4.2; `filename*` isn't for forms, and is passed over. */
function readDisposition(text: string): ReadonlyMap<string, string> {
  const type = DISPOSITION.exec(text)?.[0];
  if (type === undefined) throw malformedForm('a part is not form-data');
  const parameters = new Map<string, string>();
  const pattern = new RegExp(PARAMETER);
  pattern.lastIndex = type.length;
  let end = type.length;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const [, name = '', quoted, token = ''] = found;
    if (parameters.has(name.toLowerCase())) {
      throw malformedForm(`a part has the parameter ${name.toLowerCase()} twice`);
    }
    parameters.set(name.toLowerCase(), quoted === undefined ? token : unquote(quoted));
    end = pattern.lastIndex;
  }
  if (/[^\s;]/.test(text.slice(end))) {
    throw malformedForm('a part has a Content-Disposition that cannot be read');
  }
  return parameters;
}

/** Browsers write a quote as %22 (HTML, multipart/form-data encoding), others as \\"; a backslash is one. */
function unquote(text: string): string {
  return text.replaceAll('\\"', '"').replaceAll('%22', '"');
}

/** RFC 7578 §4.2: a path in it is not to be used. */
function lastStep(filename: string | undefined): string | undefined {
  const step = filename?.replace(/^.*[\\/]/s, '');
  return step === undefined || ['', '.', '..'].includes(step) ? undefined : step;
}

/** RFC 7578 §5.1: names are UTF-8. */
function decode(octets: string): string {
  const bytes = Buffer.from(octets, 'latin1');
  if (!isUtf8(bytes)) throw malformedForm('the header of a part is not valid UTF-8');
  const text = bytes.toString('utf8');
  // eslint-disable-next-line no-control-regex -- in a name they are an attack or a mistake
  if (/[\0-\x08\x0A-\x1F\x7F]/.test(text)) {
    throw malformedForm('the header of a part has control characters');
  }
  return text;
}
