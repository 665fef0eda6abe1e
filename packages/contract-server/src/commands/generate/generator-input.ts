import { isDeepStrictEqual } from 'node:util';
import { ContractDocument, type OpenApiObject } from '../../document/document.js';
import { placedOperations } from '../../operation/operation.js';
import { hideHashes } from './operation-names.js';
import { SchemaView } from './schema-view.js';
import {
  mapValues,
  requestOf,
  responsesOf,
  spellContent,
  withImplied,
} from './spelled-messages.js';
import { spellOut } from './spelled-out.js';

/** A contract as openapi-typescript is given it. */
export interface GeneratorInput {
  /** What clients send and get. */
  readonly exchanges: object;
  /**
   * The requests of those operations whose handlers get another value than was sent, because defaults are
   * filled in or formats have types of their own, and the responses of those that return another one.
   */
  readonly received: object;
  /** The security schemes of each operation's alternatives; undefined for one that asks for nothing. */
  readonly security: ReadonlyMap<string, ReadonlySet<string | undefined>>;
}

/**
 * Writes a contract so that openapi-typescript, which knows one type of each schema, has one for each
 * direction: readOnly members aren't in requests, writeOnly ones not in responses, and members with a
 * default are always in what a handler gets. What a handler gets and returns has the types of `formats`.
 */
export function generatorInput(
  contract: OpenApiObject,
  formats: ReadonlySet<string> = new Set(),
): GeneratorInput {
  const document = new ContractDocument(spellOut(contract));
  const views = createViews(document, formats);
  const { request, received, response, returned } = views;
  const { root } = document;
  const paths = pathItems(document, request);
  const receivedPaths: PathItems = {};
  const security = new Map<string, Set<string | undefined>>();

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
        operationId: hideHashes(operationId),
        ...(object.parameters && { parameters: object.parameters.map(spellContent(request)) }),
        ...(object.requestBody && { requestBody: spellContent(request)(object.requestBody) }),
        responses: mapValues(object.responses, spellContent(response)),
      },
    };
    const alternatives = object.security ?? root.security ?? [];
    security.set(operationId, new Set(alternatives.flatMap(schemesOf)));
    const answered = responsesOf(document, response, object);
    const given = responsesOf(document, returned, object);
    const responses = isDeepStrictEqual(answered, given) ? {} : given;
    if (isDeepStrictEqual(sent, got) && isDeepStrictEqual(responses, {})) continue;
    receivedPaths[path] = {
      ...receivedPaths[path],
      [place]: { operationId: hideHashes(operationId), ...got, responses },
    };
  }
  const components = spellComponents(root, views);
  // The same document, but for what is spelled out.
  const exchanges = { ...root, paths, components };
  const others = { ...root, paths: receivedPaths, components };
  return { exchanges, received: others, security };
}

/** The schemas of a contract, as each side of an exchange has them. */
interface Views {
  readonly request: SchemaView;
  /** What handlers get, with defaults filled in. */
  readonly received: SchemaView;
  /** What they get inside branches, where none is. */
  readonly branch: SchemaView;
  readonly response: SchemaView;
  readonly returned: SchemaView;
}

function createViews(document: ContractDocument, formats: ReadonlySet<string>): Views {
  const request = new SchemaView(document, { name: 'request', direction: 'request' });
  const response = new SchemaView(document, { name: 'response', direction: 'response' });
  const hasFormats = formats.size > 0;
  const branch = hasFormats
    ? new SchemaView(document, { name: 'received.branch', direction: 'request', formats })
    : request;
  const received = new SchemaView(document, {
    name: 'received',
    direction: 'request',
    withDefaults: true,
    formats,
    insideBranches: branch,
  });
  const returned = hasFormats
    ? new SchemaView(document, { name: 'returned', direction: 'response', formats })
    : response;
  return { request, received, branch, response, returned };
}

type PathItems = Record<string, Record<string, unknown>>;

/** The Path Items of a contract, with what their operations share, and without what OpenAPI 3.2 added. */
function pathItems(document: ContractDocument, request: SchemaView): PathItems {
  const paths: PathItems = {};
  for (const [template, item] of Object.entries(document.root.paths ?? {})) {
    const pathItem = document.resolve(item);
    const { parameters } = pathItem;
    const known = Object.entries(pathItem).filter(([name]) => !UNKNOWN_MEMBERS.includes(name));
    paths[template] = {
      ...Object.fromEntries(known),
      ...(Array.isArray(parameters) && { parameters: parameters.map(spellContent(request)) }),
    };
  }
  return paths;
}

/** The components of a contract, and those schemas that the views differ in: to be called last. */
function spellComponents(
  { components = {} }: OpenApiObject,
  { request, received, branch, response, returned }: Views,
): object {
  const { requestBodies, parameters, responses, schemas } = components;
  const spelled = {
    ...components,
    requestBodies: mapValues(requestBodies, spellContent(request)),
    parameters: mapValues(parameters, spellContent(request)),
    responses: mapValues(responses, spellContent(response)),
  };
  const used = [received, branch, returned, request, response].map((view) => view.usedComponents());
  return { ...spelled, schemas: Object.assign({}, schemas, ...used) as object };
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

function schemesOf(requirement: object): (string | undefined)[] {
  const names = Object.keys(requirement);
  return names.length === 0 ? [undefined] : names;
}
