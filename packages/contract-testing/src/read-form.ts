import { child, children, join, type JsonObject, type Place } from './document.js';
import { readJson, type ExactJson } from './exact-json.js';
import { formFields, isMultipart, type FormField } from './form-field.js';
import { arrayOf, isComposed, valueOf } from './message-values.js';

/** A form as its schema can be held against it: a file is its text. */
export interface ReadForm {
  /** Undefined where it isn't a form, or is guessed. */
  readonly json: ExactJson | undefined;
  /** Whether some of its fields aren't read here: those with a style, and those of several schemas. */
  readonly isGuessed: boolean;
}

const NOTHING_SAID: Place = { pointer: '', value: {} };

export function readForm(
  root: JsonObject,
  media: Place,
  schema: Place,
  contentType: string,
  text: string,
): ReadForm {
  const fields = fieldsOf(contentType, text);
  if (fields === undefined) return { json: undefined, isGuessed: false };
  if (!isReadForm(root, media, schema, contentType)) return { json: undefined, isGuessed: true };
  const members = new Map(children(root, schema, 'properties'));
  const fieldOf = formFields(root, media, contentType);
  const parts = [...fields].map(([name, texts]): [string, ExactJson | undefined] => [
    name,
    valueOfField(root, texts, members.get(name) ?? NOTHING_SAID, fieldOf(name).isJson),
  ]);
  if (parts.some(([, part]) => part === undefined)) return { json: undefined, isGuessed: false };
  return {
    json: {
      value: Object.fromEntries(parts.map(([name, part]) => [name, part?.value])),
      numbers: new Map(
        parts.flatMap(([name, part]) =>
          [...(part?.numbers ?? [])].map(([at, number]) => [join('', name) + at, number]),
        ),
      ),
    },
    isGuessed: false,
  };
}

/** False where some of the fields aren't read here: what is no list of texts, and what may be of several schemas. */
export function isReadForm(
  root: JsonObject,
  media: Place,
  schema: Place,
  contentType: string,
): boolean {
  const fieldOf = formFields(root, media, contentType);
  const members = children(root, schema, 'properties');
  return (
    !isComposed(schema.value) && members.every(([name, one]) => isRead(root, one, fieldOf(name)))
  );
}

function isRead(root: JsonObject, member: Place, { isStyled, explode }: FormField): boolean {
  const types = [member.value.type].flat();
  const items = child(root, member, 'items');
  const isOfSeveral = [member, ...(items === undefined ? [] : [items])].some(
    ({ value }) =>
      isComposed(value) ||
      (Array.isArray(value.type) &&
        value.type.some((type) => type === 'array' || type === 'object')),
  );
  const isInOneText = types.includes('object') || (types.includes('array') && !explode);
  return !isOfSeveral && !(isStyled && isInOneText);
}

/** The texts of each field; undefined where the body isn't a form. */
function fieldsOf(contentType: string, text: string): Map<string, string[]> | undefined {
  const pairs = isMultipart(contentType) ? partsOf(contentType, text) : pairsOf(text);
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
  isSaidToBeJson: boolean,
): ExactJson | undefined {
  const schema = field.value;
  const types = [schema.type].flat();
  const [text = '', ...others] = texts;
  try {
    if (types.includes('array')) {
      const items = child(root, field, 'items')?.value ?? {};
      const isJson = isSaidToBeJson || [items.type].flat().includes('object');
      if (!isJson) return arrayOf(texts, { items });
      const whole = readJson(text);
      const isWhole = others.length === 0 && Array.isArray(whole.value);
      return isWhole ? whole : readJson(`[${texts.join(',')}]`);
    }
    // Of another type than the schema's, which is what is wrong with it.
    if (others.length > 0) return arrayOf(texts, {});
    return isSaidToBeJson || types.includes('object') ? readJson(text) : valueOf(text, schema);
  } catch {
    return undefined;
  }
}
