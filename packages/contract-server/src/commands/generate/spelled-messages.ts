import {
  isObject,
  type ContractDocument,
  type OperationObject,
  type ParameterObject,
} from '../../document/document.js';
import { impliedParameters } from '../../operation/implied-parameters.js';
import { typedItem } from '../../operation/items.js';
import { formSchema } from './form-schema.js';
import type { SchemaView } from './schema-view.js';

/** An operation that declares what it takes without saying so. */
export function withImplied<Operation extends OperationObject>(
  document: ContractDocument,
  operation: Operation,
  pathItem: Readonly<Record<string, unknown>>,
): Operation {
  const { parameters = [], responses = {} } = operation;
  const shared = Array.isArray(pathItem.parameters)
    ? (pathItem.parameters as ParameterObject[])
    : [];
  const implied = impliedParameters(
    [...parameters, ...shared].map((parameter) => document.resolve(parameter)),
    Object.values(responses).map((response) => document.resolve(response)),
  );
  return implied.length === 0
    ? operation
    : { ...operation, parameters: [...parameters, ...implied] };
}

/** The parameters and the body of a request, references resolved, with schemas as they are in a view. */
export function requestOf(
  document: ContractDocument,
  view: SchemaView,
  { parameters = [], requestBody }: OperationObject,
  pathItem: Readonly<Record<string, unknown>>,
): object {
  const own = parameters.map((parameter) => document.resolve(parameter));
  const isOverridden = (shared: ParameterObject): boolean =>
    own.some(({ name, in: location }) => name === shared.name && location === shared.in);
  const shared = Array.isArray(pathItem.parameters)
    ? (pathItem.parameters as ParameterObject[]).map((parameter) => document.resolve(parameter))
    : [];
  const all = [...shared.filter((parameter) => !isOverridden(parameter)), ...own];
  const body = document.resolve(requestBody);
  return {
    parameters: all.map((parameter) => {
      const [content] = Object.values(parameter.content ?? {});
      const isAlwaysThere =
        view.options.withDefaults === true && view.hasDefault(content?.schema ?? parameter.schema);
      return {
        ...spellContent(view)(parameter),
        ...(isAlwaysThere && { required: true }),
      };
    }),
    ...(body && { requestBody: spellContent(view)(body) }),
  };
}

/** The responses of an operation, references resolved, with schemas as they are in a view. */
export function responsesOf(
  document: ContractDocument,
  view: SchemaView,
  { responses }: OperationObject,
): object {
  return mapValues(responses, (unresolved) => {
    const response = document.resolve(unresolved);
    if (!isObject(response)) return response;
    const headers = mapValues(isObject(response.headers) ? response.headers : {}, (header) =>
      spellContent(view)(document.resolve(header)),
    );
    return { ...spellContent(view)(response), headers };
  });
}

/** A parameter, a body or a response with its schemas as they are in a view. */
export function spellContent(view: SchemaView): <Value>(value: Value) => Value {
  return (value) => {
    if (!isObject(value)) return value;
    const spelled = {
      ...value,
      ...('schema' in value && { schema: view.spell(value.schema) }),
      ...(isObject(value.content) && {
        content: mapValues(value.content, (media, mediaType) => {
          if (!isObject(media)) return media;
          const item = typedItem(view.document, mediaType, media);
          if (item !== undefined) return { schema: itemsAsMember(view.spell(item)) };
          const schema = formSchema(view, mediaType, media) ?? media.schema;
          return schema === undefined ? media : { ...media, schema: view.spell(schema) };
        }),
      }),
    };
    return spelled; // the same object, with other schemas
  };
}

/** A member that no schema of a contract has: it marks the type of an item, for an `AsyncIterable` of it. */
export const ITEMS = '[Symbol.asyncIterator]';

function itemsAsMember(item: unknown): object {
  return { type: 'object', required: [ITEMS], properties: { [ITEMS]: item } };
}

export function mapValues(
  values: object | undefined,
  map: (value: unknown, name: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values ?? {}).map(([name, value]) => [name, map(value, name)]),
  );
}
