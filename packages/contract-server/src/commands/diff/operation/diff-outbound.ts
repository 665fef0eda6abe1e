import {
  isObject,
  type ContractDocument,
  type OperationObject,
} from '../../../document/document.js';
import { pointer } from '../../../json/pointer.js';
import type { Direction } from '../../../schema/direction.js';
import type { Effect } from '../change/change.js';
import type { KeyedPair } from '../change/pair-by-key.js';
import { commonPlace, placeOf, type Located } from '../change/place.js';
import type { DiffSchemas } from '../schema/diff-schemas.js';
import { isSameStructure } from '../schema/same-structure.js';

/** A request that the service sends and its clients answer: of a webhook, or of a callback. */
export interface OutboundOperation extends Located<OperationObject> {
  /** Its JSON Pointer. */
  readonly place: string;
  readonly pathParameters: unknown;
}

/** The webhooks of a contract by name and method, such as `webhook newThing POST`. */
export function listWebhooks(document: ContractDocument): Map<string, OutboundOperation> {
  const webhooks: unknown = Reflect.get(document.root, 'webhooks');
  return new Map(listPathItems('webhook', { document, value: webhooks }));
}

/** The callbacks of an operation by name, address and method. */
export function listCallbacks({ document, value }: Located): Map<string, OutboundOperation> {
  const callbacks = Object.entries(isObject(value) ? value : {});
  return new Map(
    callbacks.flatMap(([name, callback]) =>
      listPathItems(`callback ${name}`, { document, value: document.resolve(callback) }),
    ),
  );
}

function listPathItems(
  prefix: string,
  { document, value }: Located,
): [name: string, OutboundOperation][] {
  return Object.entries(isObject(value) ? value : {}).flatMap(([name, item]) => {
    const pathItem: unknown = document.resolve(item);
    if (!isObject(pathItem)) return [];
    return Object.entries(pathItem).flatMap(([method, object]): [string, OutboundOperation][] => {
      if (!isOperation(object)) return [];
      const place = placeOf(document, object) ?? '';
      const operation = { document, value: object, place, pathParameters: pathItem.parameters };
      return [[`${prefix} ${name} ${method.toUpperCase()}`, operation]];
    });
  });
}

/** Of what a Path Item has, only operations have these. */
function isOperation(value: unknown): value is OperationObject {
  return isObject(value) && ('responses' in value || 'requestBody' in value);
}

/** What has changed for clients that get the request: what it says widens, what it takes for an answer narrows. */
export function diffOutbound(
  { key: name, was, is }: KeyedPair<OutboundOperation>,
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
  const taken = Object.keys(was.value.responses ?? {});
  const why = 'what else is sent to clients is not looked into, so any change counts';
  return [
    ...(isSameStructure(inOld(frameOf(was, taken)), inNew(frameOf(is, taken)))
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

/** All of an operation but the schemas of its bodies, with these of the answers that it takes. */
function frameOf(
  { document, value, pathParameters }: OutboundOperation,
  statuses: readonly string[],
): unknown {
  const frameOfBody = (body: unknown) => {
    const object: unknown = document.resolve(body);
    const content = [...contentOf({ document, value: body }).keys()];
    return { ...(isObject(object) ? object : {}), content };
  };
  const { parameters, requestBody, responses = {} } = value;
  return {
    parameters: [parameters, pathParameters],
    requestBody: requestBody && frameOfBody(requestBody),
    responses: statuses.map((status) => responses[status] && frameOfBody(responses[status])),
  };
}
