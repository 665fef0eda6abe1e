import {
  isObject,
  type ContractDocument,
  type EncodingObject,
  type HeaderObject,
  type MediaTypeObject,
  type Schema,
} from '../document/document.js';
import { appliedSchemas, conjunctsOf } from '../schema/traversal.js';
import { typesOf, unionOf, type JsonType } from '../schema/types.js';
import { joined } from '../schema/ways.js';
import { bodyKindOf, formKindOf, type FormKind } from './media-type.js';
import type { Field } from './operation.js';

/** A form as a contract describes it. */
export interface Form {
  readonly kind: FormKind;
  readonly fields: readonly FormField[];
  /** What `additionalProperties` says of any other field; undefined where nothing is said. */
  readonly others: FormField | undefined;
  /** Whether there may be no other field. */
  readonly isClosed: boolean;
}

/** A member of a form's schema, and how it is written (OpenAPI 3.1 §4.8.15). */
export interface FormField extends Field {
  readonly in: 'body';
  /** Bytes, which are no part of the value that is validated. */
  readonly isFile: boolean;
  /** Whether its value may be a list, with a part for each item, and whether it may be anything else. */
  readonly isList: boolean;
  readonly isSingle: boolean;
  /** How many bytes a file may have (OpenAPI 3.1 §4.8.24: lengths of binary data are in bytes). */
  readonly minBytes: number;
  readonly maxBytes: number;
  /** Media types and ranges that its parts may have; undefined where the contract names none. */
  readonly contentTypes: readonly string[] | undefined;
  /** The headers of its parts, by name in lower case. */
  readonly headers: ReadonlyMap<string, HeaderObject>;
}

/** The form that a request body of this media type is; undefined where it is none. */
export function formOf(
  document: ContractDocument,
  mediaType: string,
  { schema = {}, encoding = {} }: MediaTypeObject,
): Form | undefined {
  const kind = formKindOf(mediaType);
  if (kind === undefined) return undefined;
  const applied = appliedSchemas(document, schema);
  const members = new Map<string, unknown[]>();
  for (const { properties } of applied) {
    for (const [name, member] of Object.entries(isObject(properties) ? properties : {})) {
      members.set(name, [...(members.get(name) ?? []), member]);
    }
  }
  const others = applied.flatMap(({ additionalProperties }) => additionalProperties ?? []);
  return {
    kind,
    fields: [...members].map(([name, schemas]) =>
      createField(document, kind, name, joined(schemas), encoding[name]),
    ),
    others: others.some(isObject)
      ? createField(document, kind, '', joined(others), undefined)
      : undefined,
    isClosed: applied.some(
      (one) => one.additionalProperties === false || one.unevaluatedProperties === false,
    ),
  };
}

function createField(
  document: ContractDocument,
  kind: FormKind,
  name: string,
  schema: unknown,
  encoding: EncodingObject = {},
): FormField {
  const { style = 'form', contentType, headers = {} } = encoding;
  // OpenAPI 3.0.3 §4.7.15 ignores these outside application/x-www-form-urlencoded.
  const isStyled =
    !(kind === 'multipart' && document.isOpenApi30) &&
    ['style', 'explode', 'allowReserved'].some((member) => member in encoding);
  // OpenAPI 3.1 §4.8.15.1: with a style, the content type is ignored.
  const contentTypes = isStyled ? undefined : contentType?.split(',').map((type) => type.trim());
  const isFile = kind === 'multipart' && isFileSchema(document, schema, contentTypes);
  const types = typesOf(document, schema);
  const lengths = isFile ? lengthSchemas(document, schema) : [];
  const isJson = !isFile && !isStyled && isJsonSchema(document, schema, contentTypes);
  return {
    name,
    in: 'body',
    required: false,
    allowEmptyValue: false,
    allowReserved: isStyled && encoding.allowReserved === true,
    style: isStyled ? style : 'form',
    explode: !isStyled || (encoding.explode ?? style === 'form'),
    schema: asObject(schema),
    mediaType: isJson ? 'application/json' : undefined,
    isFile,
    isList: types?.has('array') === true,
    isSingle: types === undefined || [...types].some((type) => type !== 'array'),
    minBytes: Math.max(0, ...lengths.map(({ minLength }) => Number(minLength ?? 0))),
    maxBytes: Math.min(Infinity, ...lengths.map(({ maxLength }) => Number(maxLength ?? Infinity))),
    contentTypes,
    headers: new Map(
      Object.entries(headers)
        .map(([header, object]) => [header.toLowerCase(), document.resolve(object)] as const)
        // OpenAPI 3.1 §4.8.15.1: this one is described by `contentType`.
        .filter(([header]) => header !== 'content-type'),
    ),
  };
}

/** In both dialects, the same as `true` and `false`. */
function asObject(schema: unknown): Schema {
  if (isObject(schema)) return schema;
  return schema === false ? { not: {} } : {};
}

/**
 * Whether a member of a multipart form is a file: bytes, as `format: binary` (OpenAPI 3.0.3 §4.7.14.2),
 * `contentMediaType` without `contentEncoding`, or the content type of its encoding says (OpenAPI 3.1
 * §4.8.14.2). A member whose items are files is a list of them.
 */
export function isFileSchema(
  document: ContractDocument,
  schema: unknown,
  contentTypes: readonly string[] = [],
): boolean {
  const values = valueSchemas(document, schema);
  if (values.some(({ format }) => format === 'binary')) return true;
  if (values.some(({ contentEncoding }) => contentEncoding !== undefined)) return false;
  const types = valueTypes(document, values);
  if ([...types].some((type) => type !== 'string')) return false;
  const described = values.flatMap(({ contentMediaType }) =>
    typeof contentMediaType === 'string' ? [contentMediaType] : [],
  );
  return [...contentTypes, ...described].some((mediaType) => {
    const kind = bodyKindOf(mediaType);
    return kind === 'stream' || (kind === 'text' && types.size === 0);
  });
}

/** OpenAPI 3.1 §4.8.15.1: JSON is what an object is written as, unless something else is said. */
function isJsonSchema(
  document: ContractDocument,
  schema: unknown,
  contentTypes: readonly string[] | undefined,
): boolean {
  if (contentTypes !== undefined) return contentTypes.every((type) => bodyKindOf(type) === 'json');
  return valueTypes(document, valueSchemas(document, schema)).has('object');
}

/** The schemas of what a part holds: a list has a part for each item. */
function valueSchemas(document: ContractDocument, schema: unknown): readonly Schema[] {
  return appliedSchemas(document, schema).flatMap((one) =>
    'items' in one ? appliedSchemas(document, one.items) : [one],
  );
}

/** What every file of a member must satisfy. */
function lengthSchemas(document: ContractDocument, schema: unknown): readonly Schema[] {
  return conjunctsOf(document, schema).flatMap((one) => [
    one,
    ...('items' in one ? conjunctsOf(document, one.items) : []),
  ]);
}

function valueTypes(document: ContractDocument, values: readonly Schema[]): Set<JsonType> {
  const types = unionOf(values.map((value) => typesOf(document, value) ?? new Set<JsonType>()));
  types.delete('array');
  types.delete('null');
  return types;
}
