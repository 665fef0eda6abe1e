import type { ContractDocument } from '../../index.js';
import { isObject, type OperationObject } from '../../document/document.js';
import { placeOf, type Located } from './schema/place.js';

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
