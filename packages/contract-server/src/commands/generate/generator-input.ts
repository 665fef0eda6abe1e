import {
  ContractDocument,
  isObject,
  type OpenApiObject,
  type OperationObject,
  type ParameterObject,
} from '../../document/document.js';
import { impliedParameters } from '../../operation/implied-parameters.js';
import { typedItem } from '../../operation/items.js';
import { placedOperations } from '../../operation/operation.js';
import { formSchema } from './form-schema.js';
import { SchemaView } from './schema-view.js';
import { spellOut } from './spelled-out.js';

/** A contract as openapi-typescript is given it. */
export interface GeneratorInput {
  /** What clients send and get. */
  readonly exchanges: object;
  /** The requests of those operations whose handlers get more than was sent: defaults are filled in. */
  readonly received: object;
  /** The security schemes of each operation's alternatives; undefined for one that asks for nothing. */
  readonly security: ReadonlyMap<string, ReadonlySet<string | undefined>>;
}

/**
 * Writes a contract so that openapi-typescript, which knows one type of each schema, has one for each
 * direction: readOnly members aren't in requests, writeOnly ones not in responses, and members with a
 * default are always in what a handler gets.
 */
export function generatorInput(contract: OpenApiObject): GeneratorInput {
  const document = new ContractDocument(spellOut(contract));
  const request = new SchemaView(document, { name: 'request', direction: 'request' });
  const received = new SchemaView(document, {
    ...{ name: 'received', direction: 'request', withDefaults: true },
    insideBranches: request,
  } as const);
  const response = new SchemaView(document, { name: 'response', direction: 'response' });
  const { root } = document;
  const paths: Record<string, Record<string, unknown>> = {};
  const receivedPaths: Record<string, Record<string, unknown>> = {};
  const security = new Map<string, Set<string | undefined>>();

  for (const [template, item] of Object.entries(root.paths ?? {})) {
    const pathItem = document.resolve(item);
    const { parameters } = pathItem;
    const known = Object.entries(pathItem).filter(([name]) => !UNKNOWN_MEMBERS.includes(name));
    paths[template] = {
      ...Object.fromEntries(known),
      ...(Array.isArray(parameters) && { parameters: parameters.map(spellContent(request)) }),
    };
  }
  for (const { method, pathTemplate, operationId, pathItem, ...placed } of placedOperations(
    document,
  )) {
    const object = withImplied(document, placed.object, pathItem);
    const sent = requestOf(document, request, object, pathItem);
    const got = requestOf(document, received, object, pathItem);
    const [path, place] = placeOf(method, pathTemplate);
    paths[path] = {
      ...(paths[path] ?? { parameters: paths[pathTemplate]?.parameters ?? [] }),
      [place]: {
        ...object,
        operationId,
        ...(object.parameters && { parameters: object.parameters.map(spellContent(request)) }),
        ...(object.requestBody && { requestBody: spellContent(request)(object.requestBody) }),
        responses: mapValues(object.responses, spellContent(response)),
      },
    };
    const alternatives = object.security ?? root.security ?? [];
    security.set(operationId, new Set(alternatives.flatMap(schemesOf)));
    if (JSON.stringify(sent) === JSON.stringify(got)) continue;
    receivedPaths[path] = {
      ...receivedPaths[path],
      [place]: { operationId, ...got, responses: {} },
    };
  }
  const { requestBodies, parameters, responses, schemas } = root.components ?? {};
  const spelled = {
    ...root.components,
    requestBodies: mapValues(requestBodies, spellContent(request)),
    parameters: mapValues(parameters, spellContent(request)),
    responses: mapValues(responses, spellContent(response)),
  };
  const views = {
    ...received.usedComponents(),
    ...request.usedComponents(),
    ...response.usedComponents(),
  };
  const components = { ...spelled, schemas: { ...schemas, ...views } };
  // The same document, but for what is spelled out.
  const exchanges = { ...root, paths, components };
  const others = { ...root, paths: receivedPaths, components };
  return { exchanges, received: others, security };
}

/** Of a Path Item what OpenAPI 3.2 added to it. */
const UNKNOWN_MEMBERS = ['query', 'additionalOperations'];

/** Methods that openapi-typescript knows (OpenAPI 3.1.0 §4.8.9). */
const KNOWN = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** The path and the method of an operation; one with another method has a path of its own. */
function placeOf(method: string, pathTemplate: string): [string, string] {
  const known = method.toLowerCase();
  return KNOWN.includes(known) ? [pathTemplate, known] : [`${pathTemplate} ${method}`, 'post'];
}

/** An operation that declares what it takes without saying so. */
function withImplied<Operation extends OperationObject>(
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
function requestOf(
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

/** A parameter, a body or a response with its schemas as they are in a view. */
function spellContent(view: SchemaView): <Value>(value: Value) => Value {
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

function schemesOf(requirement: object): (string | undefined)[] {
  const names = Object.keys(requirement);
  return names.length === 0 ? [undefined] : names;
}

function mapValues(
  values: object | undefined,
  map: (value: unknown, name: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values ?? {}).map(([name, value]) => [name, map(value, name)]),
  );
}
