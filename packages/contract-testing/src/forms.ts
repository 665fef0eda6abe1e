import { child, children, isObject, type JsonObject, type Place } from './document.js';
import { readJson, writeJson, type ExactJson } from './exact-json.js';
import { arrayOf, valueOf } from './message-values.js';

const URLENCODED = /^application\/x-www-form-urlencoded *(?:;|$)/i;
const MULTIPART = /^multipart\/form-data *(?:;|$)/i;

/** Whether a media type is one of the two whose bodies are forms. */
export function isForm(contentType: string): boolean {
  return URLENCODED.test(contentType) || MULTIPART.test(contentType);
}

/** A body as a form writes it, and its media type with what tells the parts apart. */
export interface WrittenForm {
  readonly contentType: string;
  readonly body: string | Buffer;
}

/** Writes an object as a form: lists as several fields, objects as JSON, and a Blob as a file. */
export async function writeForm(contentType: string, value: object): Promise<WrittenForm> {
  const fields = Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    [member].flat().flatMap((item) => (item === undefined ? [] : [[name, item] as const])),
  );
  if (URLENCODED.test(contentType)) {
    const pairs = fields.map(([name, value]): [string, string] => [name, textOf(value)]);
    return { contentType, body: String(new URLSearchParams(pairs)) };
  }
  const form = new FormData();
  for (const [name, value] of fields) {
    if (value instanceof Blob) form.append(name, value);
    else form.append(name, textOf(value));
  }
  const written = new Response(form);
  return {
    contentType: written.headers.get('content-type') ?? contentType,
    body: Buffer.from(await written.arrayBuffer()),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (writeJson(value) ?? '');
}

/** A form as its schema can be held against it: a file is its text. */
export interface ReadForm {
  /** Undefined where it isn't a form. */
  readonly json: ExactJson | undefined;
  /** Whether some of its fields aren't read here: those with a style, and those of several schemas. */
  readonly isGuessed: boolean;
}

const NOTHING_SAID: Place = { pointer: '', value: {} };
const COMPOSITIONS = ['allOf', 'anyOf', 'oneOf'];

export function readForm(
  root: JsonObject,
  media: Place,
  schema: Place,
  contentType: string,
  text: string,
): ReadForm {
  const fields = fieldsOf(contentType, text);
  if (fields === undefined) return { json: undefined, isGuessed: false };
  const members = new Map(children(root, schema, 'properties'));
  const encodings = isObject(media.value.encoding) ? media.value.encoding : {};
  const isComposed = (value: JsonObject): boolean => COMPOSITIONS.some((one) => one in value);
  const isStyled = (encoding: unknown): boolean => isObject(encoding) && 'style' in encoding;
  const parts = [...fields].map(([name, texts]): [string, ExactJson | undefined] => [
    name,
    valueOfField(root, texts, members.get(name) ?? NOTHING_SAID),
  ]);
  if (parts.some(([, part]) => part === undefined)) return { json: undefined, isGuessed: false };
  return {
    json: {
      value: Object.fromEntries(parts.map(([name, part]) => [name, part?.value])),
      numbers: new Map(
        parts.flatMap(([name, part]) =>
          [...(part?.numbers ?? [])].map(([pointer, number]) => [`/${name}${pointer}`, number]),
        ),
      ),
    },
    isGuessed:
      isComposed(schema.value) ||
      [...members].some(([name, { value }]) => isComposed(value) || isStyled(encodings[name])),
  };
}

/** The texts of each field; undefined where the body isn't a form. */
function fieldsOf(contentType: string, text: string): Map<string, string[]> | undefined {
  const pairs = URLENCODED.test(contentType) ? pairsOf(text) : partsOf(contentType, text);
  if (pairs === undefined) return undefined;
  const fields = new Map<string, string[]>();
  for (const [name, value] of pairs) fields.set(name, [...(fields.get(name) ?? []), value]);
  return fields;
}

function pairsOf(text: string): [string, string][] | undefined {
  return /%(?![\da-f]{2})/i.test(text) ? undefined : [...new URLSearchParams(text)];
}

/** RFC 7578: parts between boundaries, each with a header that names it. */
function partsOf(contentType: string, text: string): [string, string][] | undefined {
  const [, quoted, token] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? [];
  const pieces = `\r\n${text}`.split(`\r\n--${quoted ?? token ?? ''}`);
  if ((quoted ?? token) === undefined || !pieces.at(-1)?.startsWith('--')) return undefined;
  const parts = pieces.slice(1, -1).map((piece): [string, string] | undefined => {
    const end = piece.indexOf('\r\n\r\n');
    const [, name] =
      /^content-disposition: *form-data;.*?\bname="([^"]*)"/im.exec(piece.slice(0, end)) ?? [];
    return end === -1 || name === undefined ? undefined : [name, piece.slice(end + 4)];
  });
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

/** Undefined where it should be JSON, and isn't. */
function valueOfField(
  root: JsonObject,
  texts: readonly string[],
  field: Place,
): ExactJson | undefined {
  const schema = field.value;
  const types = [schema.type].flat();
  try {
    if (types.includes('array')) {
      const items = child(root, field, 'items')?.value ?? {};
      const isOfObjects = [items.type].flat().includes('object');
      return isOfObjects ? readJson(`[${texts.join(',')}]`) : arrayOf(texts, { items });
    }
    const [text = '', ...others] = texts;
    // Of another type than the schema's, which is what is wrong with it.
    if (others.length > 0) return arrayOf(texts, {});
    return types.includes('object') ? readJson(text) : valueOf(text, schema);
  } catch {
    return undefined;
  }
}
