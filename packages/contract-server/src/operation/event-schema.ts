import { ContractError } from '../document/contract-error.js';
import { isObject, type ContractDocument, type Schema } from '../document/document.js';
import { couldAccept } from '../schema/branch-guess.js';
import { discriminatedBy, discriminatorValues } from '../schema/discriminator.js';
import { mapSchemas } from '../schema/keywords.js';
import {
  alternativesOf,
  appliedSchemas,
  conditionalsOf,
  listOf,
  partsOf,
} from '../schema/traversal.js';
import { bodyKindOf } from './media-type.js';

/**
 * Whether the data of some event is JSON: its schema says so by `contentMediaType` (OpenAPI 3.2.0 §4.14.4).
 */
export function hasJsonData(document: ContractDocument, schema: unknown): boolean {
  return appliedSchemas(document, schema).some(
    ({ properties }) =>
      isObject(properties) &&
      appliedSchemas(document, properties.data).some((data) => isJsonText(data)),
  );
}

/**
 * The schema of events some of whose data is JSON, as they are validated: the data is an object of the
 * `text` that travels and, where that is JSON, of the `json` that it says. So one verdict has in it what
 * `contentSchema` says, wherever it stands.
 */
export function validatedEvents(document: ContractDocument, schema: unknown): unknown {
  return rewriteInPlace(document, schema, (own) =>
    withData(own, (data) => rewriteInPlace(document, data, splitData)),
  );
}

/** The same schema as handlers have it: data is the value that its JSON says. */
export function typedEvents(document: ContractDocument, schema: unknown): unknown {
  return rewriteInPlace(document, schema, (own, isInBranch) =>
    withData(own, (data) => {
      const json = appliedSchemas(document, data).find(isJsonText);
      if (json !== undefined) return json.contentSchema ?? {};
      // What travels is always text, but what it is to a handler is for the branches to say.
      return isInBranch ? data : {};
    }),
  );
}

/** Whether the data of an event is JSON, by those branches that could have accepted it. */
export function isJsonEvent(
  document: ContractDocument,
  validated: unknown,
  event: { readonly data: unknown },
): boolean {
  return someApplied(
    document,
    validated,
    event,
    ({ properties }) =>
      isObject(properties) &&
      someApplied(
        document,
        properties.data,
        event.data,
        (data) => isObject(data.properties) && 'json' in data.properties,
      ),
  );
}

function isJsonText({ contentMediaType, contentEncoding }: Schema): boolean {
  return (
    typeof contentMediaType === 'string' &&
    bodyKindOf(contentMediaType) === 'json' &&
    contentEncoding === undefined
  );
}

function withData(own: Schema, map: (data: unknown) => unknown): Schema {
  const { properties } = own;
  if (!isObject(properties) || !('data' in properties)) return own;
  return { ...own, properties: { ...properties, data: map(properties.data) } };
}

/** Of the keywords of a text's schema those that judge the text itself stand under `text`. */
function splitData(schema: Schema): Schema {
  const inPlace = Object.entries(schema).filter(([keyword]) => IN_PLACE.includes(keyword));
  const { contentMediaType, contentEncoding, contentSchema = {}, ...text } = schema;
  for (const [keyword] of inPlace) Reflect.deleteProperty(text, keyword);
  const isJson = isJsonText({ contentMediaType, contentEncoding });
  return {
    ...Object.fromEntries(inPlace),
    properties: { text, ...(isJson && { json: contentSchema }) },
    ...(isJson && { required: ['json'] }),
  };
}

const IN_PLACE = ['allOf', 'oneOf', 'anyOf', 'not', 'if', 'then', 'else', 'dependentSchemas'];

/** A schema with each that judges the same value rewritten, what references lead to written out. */
function rewriteInPlace(
  document: ContractDocument,
  schema: unknown,
  rewrite: (own: Schema, isInBranch: boolean) => Schema,
  outer: readonly unknown[] = [],
  isInBranch = false,
): unknown {
  if (!isObject(schema)) return schema;
  if (outer.includes(schema)) {
    throw new ContractError(['the schema of an item is a part of itself']);
  }
  const innerOf = (isBranch: boolean) => (part: unknown) =>
    rewriteInPlace(document, part, rewrite, [...outer, schema], isInBranch || isBranch);
  const isReference = document.hasOnlyReference(schema);
  const { $ref, discriminator, ...own }: Schema = isReference ? { $ref: schema.$ref } : schema;
  const mapped: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(own)) {
    mapped[keyword] = IN_PLACE.includes(keyword)
      ? mapSchemas(keyword, value, innerOf(keyword !== 'allOf'))
      : value;
  }
  for (const keyword of ['oneOf', 'anyOf']) {
    const values = discriminatorOf(document, discriminator, listOf(own[keyword]));
    mapped[keyword] &&= listOf(mapped[keyword]).map((branch, index) =>
      values === undefined ? branch : { allOf: [branch, values(index)] },
    );
  }
  const rewritten = rewrite(mapped, isInBranch);
  if (typeof $ref !== 'string') return rewritten;
  return {
    ...rewritten,
    allOf: [innerOf(false)(document.lookUp($ref)), ...listOf(rewritten.allOf)],
  };
}

/** What a discriminator asks of each branch; without their references nothing else tells them apart. */
function discriminatorOf(
  document: ContractDocument,
  discriminator: unknown,
  branches: readonly unknown[],
): ((index: number) => Schema) | undefined {
  if (!isObject(discriminator) || typeof discriminator.propertyName !== 'string') return undefined;
  const { propertyName } = discriminator;
  const values = discriminatorValues(document, discriminator, branches);
  return values && ((index) => discriminatedBy(propertyName, values[index] ?? []));
}

/** Whether a schema that could judge the value passes a test. */
function someApplied(
  document: ContractDocument,
  schema: unknown,
  value: unknown,
  test: (schema: Schema) => boolean,
): boolean {
  if (!isObject(schema)) return false;
  const inner = (part: unknown): boolean => someApplied(document, part, value, test);
  const branches = [
    ...alternativesOf(document, schema).flat(),
    ...conditionalsOf(document, schema),
  ];
  return (
    test(schema) ||
    partsOf(document, schema).some(inner) ||
    branches.some((branch) => couldAccept(document, branch, value) && inner(branch))
  );
}
