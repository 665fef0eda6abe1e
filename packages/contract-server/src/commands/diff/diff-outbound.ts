import { isObject, type OperationObject } from '../../document/document.js';
import { pointer } from '../../json/pointer.js';
import type { Direction } from '../../schema/direction.js';
import type { Effect } from './change.js';
import type { DiffSchemas } from './schema-diff.js';
import { commonPlace, placeOf, type Located } from './schema/place.js';
import { isSameStructure } from './schema/same-structure.js';

/** A request that the service sends and its clients answer: of a webhook, or of a callback. */
export interface OutboundOperation extends Located<OperationObject> {
  /** `webhook newThing POST` */
  readonly name: string;
  /** Its JSON Pointer. */
  readonly place: string;
  readonly pathParameters: unknown;
}

/** Those of some path items, by what they are called. */
export function listOutbound(
  kind: 'webhook' | 'callback',
  { document, value }: Located,
): OutboundOperation[] {
  return Object.entries(isObject(value) ? value : {}).flatMap(([name, item]) => {
    const pathItem: unknown = document.resolve(item);
    return Object.entries(isObject(pathItem) ? pathItem : {})
      .filter(([method, operation]) => method !== 'servers' && isOperation(operation))
      .map(([method, operation]) => ({
        document,
        value: operation as OperationObject,
        name: `${kind} ${name} ${method.toUpperCase()}`,
        place: placeOf(document, operation) ?? '',
        pathParameters: isObject(pathItem) ? pathItem.parameters : undefined,
      }));
  });
}

function isOperation(value: unknown): boolean {
  return isObject(value) && ('responses' in value || 'requestBody' in value);
}

/** Every one of either contract, with its other if there is one. */
export function pairOutbound(old: readonly OutboundOperation[], now: readonly OutboundOperation[]) {
  const before = new Map(old.map((one) => [one.name, one]));
  const after = new Map(now.map((one) => [one.name, one]));
  return [...new Set([...before.keys(), ...after.keys()])].map((name) => ({
    name,
    was: before.get(name),
    is: after.get(name),
  }));
}

/** What has changed for clients that get the request: what it says widens, what it takes for an answer narrows. */
export function diffOutbound(
  { name, was, is }: ReturnType<typeof pairOutbound>[number],
  diffSchemas: DiffSchemas,
): Effect[] {
  if (was === undefined) {
    return [{ breaks: false, location: name, what: 'added', why: 'no client waits for it yet' }];
  }
  if (is === undefined) {
    return [{ breaks: true, location: name, what: 'removed', why: 'clients wait for it in vain' }];
  }
  const compare = (
    direction: Direction,
    location: string,
    path: readonly string[],
    old: Located,
    now: Located,
  ): Effect[] => {
    const before = contentOf(old);
    return [...contentOf(now)].flatMap(([mediaType, schema]) => {
      if (!before.has(mediaType)) return [];
      const [oldSchema, newSchema] = [
        { document: old.document, value: before.get(mediaType) },
        { document: now.document, value: schema },
      ];
      const at = is.place + pointer([...path, 'content', mediaType, 'schema']);
      const definition = commonPlace(oldSchema, newSchema) ?? at;
      return diffSchemas(direction, { location, definition }, oldSchema, newSchema);
    });
  };
  const inOld = (value: unknown) => ({ document: was.document, value });
  const inNew = (value: unknown) => ({ document: is.document, value });
  const why = 'what else is sent to clients is not looked into, so any change counts';
  return [
    ...(isSameStructure(inOld(frameOf(was)), inNew(frameOf(is)))
      ? []
      : [{ breaks: true, location: name, what: 'changed', why }]),
    ...compare(
      'response',
      `${name} request body`,
      ['requestBody'],
      inOld(was.value.requestBody),
      inNew(is.value.requestBody),
    ),
    ...Object.entries(is.value.responses ?? {}).flatMap(([status, response]) =>
      compare(
        'request',
        `${name} response ${status}`,
        ['responses', status],
        inOld(was.value.responses?.[status]),
        inNew(response),
      ),
    ),
  ];
}

/** The schemas of a body, by media type. */
function contentOf({ document, value }: Located): Map<string, unknown> {
  const body: unknown = document.resolve(value);
  const content = isObject(body) && isObject(body.content) ? body.content : {};
  return new Map(
    Object.entries(content).map(([mediaType, one]) => [
      mediaType,
      isObject(one) ? one.schema : undefined,
    ]),
  );
}

/** All of an operation but the schemas of its bodies. */
function frameOf({ document, value, pathParameters }: OutboundOperation): unknown {
  const frameOfBody = (body: unknown) => {
    const object: unknown = document.resolve(body);
    const content = [...contentOf({ document, value: body }).keys()];
    return { ...(isObject(object) ? object : {}), content };
  };
  const { parameters, requestBody, responses = {} } = value;
  return {
    parameters: [parameters, pathParameters],
    requestBody: requestBody && frameOfBody(requestBody),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [status, frameOfBody(response)]),
    ),
  };
}
