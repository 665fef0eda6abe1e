import {
  isObject,
  type ContractDocument,
  type OperationObject,
} from '../../../document/document.js';
import { pointer } from '../../../json/pointer.js';
import { createOperation } from '../../../operation/operation.js';
import type { Effect } from '../change/change.js';
import type { KeyedPair } from '../change/pair-by-key.js';
import { innerPart, type Part } from '../change/part.js';
import { commonPlace, placeOf, type Located } from '../change/place.js';
import { diffContent } from '../message/diff-content.js';
import { diffHeaders } from '../message/diff-headers.js';
import type { DiffSchemas } from '../schema/diff-schemas.js';
import { diffParameters } from './diff-parameters.js';
import { diffRequestBodies } from './diff-request-bodies.js';
import { contentOf, coveringResponse, headersOf } from './diff-responses.js';
import type { DiffedOperation } from './list-operations.js';

/** The webhooks of a contract by name and method, such as `webhook newThing POST`. */
export function listWebhooks(document: ContractDocument): Map<string, DiffedOperation> {
  const webhooks: unknown = Reflect.get(document.root, 'webhooks');
  return new Map(listPathItems('webhook', { document, value: webhooks }));
}

/** The callbacks of an operation by name, address and method. */
export function listCallbacks({ document, value }: Located): Map<string, DiffedOperation> {
  const callbacks = Object.entries(isObject(value) ? value : {});
  return new Map(
    callbacks.flatMap(([name, callback]) =>
      listPathItems(`callback ${name}`, { document, value: document.resolve(callback) }),
    ),
  );
}

/** The requests that the service sends and its clients answer. */
function listPathItems(
  prefix: string,
  { document, value }: Located,
): [name: string, DiffedOperation][] {
  return Object.entries(isObject(value) ? value : {}).flatMap(([name, item]) => {
    const pathItem: unknown = document.resolve(item);
    if (!isObject(pathItem)) return [];
    const { additionalOperations, parameters, ...named } = pathItem;
    const others = isObject(additionalOperations) ? additionalOperations : {};
    return Object.entries({ ...named, ...others }).flatMap(
      ([key, object]): [string, DiffedOperation][] => {
        if (!isOperation(object)) return [];
        const method = Object.hasOwn(others, key) ? key : key.toUpperCase();
        const operation = {
          ...createOperation(document, method, '', object, parameters),
          document,
          route: '',
          place: placeOf(document, object) ?? '',
          object,
          pathItem,
        };
        return [[`${prefix} ${name} ${method}`, operation]];
      },
    );
  });
}

/** Of what a Path Item has, only operations have these. */
function isOperation(value: unknown): value is OperationObject & Readonly<Record<string, unknown>> {
  return isObject(value) && ('responses' in value || 'requestBody' in value);
}

/**
 * What has changed for clients that get a request and answer it: the directions are exchanged, so what
 * the request says is to them as a response is, and what the service takes for an answer as a request.
 */
export function diffOutbound(
  { key: location, was, is }: KeyedPair<DiffedOperation>,
  diffSchemas: DiffSchemas,
): Effect[] {
  if (was === undefined) {
    return [{ breaks: false, location, what: 'added', why: 'no client waits for it yet' }];
  }
  if (is === undefined) {
    return [{ breaks: true, location, what: 'removed', why: 'clients wait for it in vain' }];
  }
  const definition = commonPlace(
    { document: was.document, value: was.object },
    { document: is.document, value: is.object },
  );
  const whole: Part = { location, definition };
  return [
    ...diffParameters(whole, was, is, diffSchemas, 'response'),
    ...diffRequestBodies(whole, was, is, diffSchemas, 'response'),
    ...diffAnswers(whole, was, is, diffSchemas),
  ].map((effect) => ({ ...effect, location: `${location} ${effect.location}` }));
}

/** What clients may answer, by status; one more takes nothing from them. */
function diffAnswers(
  whole: Part,
  old: DiffedOperation,
  now: DiffedOperation,
  diffSchemas: DiffSchemas,
): Effect[] {
  return [...new Set([...old.responses.keys(), ...now.responses.keys()])].flatMap((status) => {
    const location = `response ${status}`;
    const was = coveringResponse(old, status);
    const is = coveringResponse(now, status);
    if (was === undefined) return [];
    if (is === undefined) {
      const why = 'clients that answer so are not understood';
      return [{ breaks: true, direction: 'request', location, what: 'removed', why }];
    }
    const [oldIn, newIn] = [
      { document: old.document, value: was },
      { document: now.document, value: is },
    ];
    const part = innerPart(whole, pointer(['responses', status]), location, oldIn, newIn);
    return [
      ...diffContent('request', part, contentOf(oldIn), contentOf(newIn), diffSchemas),
      ...diffHeaders('request', part, headersOf(oldIn), headersOf(newIn), diffSchemas),
    ];
  });
}
