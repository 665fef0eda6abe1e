import type { ContractDocument, ParameterObject } from '../../../document/document.js';
import {
  createOperation,
  placedOperations,
  type Operation,
  type Parameter,
  type PlacedOperation,
} from '../../../operation/operation.js';
import { listOf } from '../../../schema/traversal.js';
import { placeOf } from '../change/place.js';

/** An operation and what a service needn't know of it, but a client may. */
export interface DiffedOperation extends Operation {
  readonly document: ContractDocument;
  /** `POST /bookings` */
  readonly route: string;
  /** Its JSON Pointer. */
  readonly place: string;
  readonly object: PlacedOperation['object'];
  readonly pathItem: PlacedOperation['pathItem'];
}

/** The operations of a contract by what a request is for: path parameters have no names there. */
export function listOperations(document: ContractDocument): Map<string, DiffedOperation> {
  return new Map(
    placedOperations(document).map(({ method, pathTemplate, operationId, object, pathItem }) => {
      const whole = { ...object, operationId };
      const operation = {
        ...createOperation(document, method, pathTemplate, whole, pathItem.parameters),
        document,
        route: `${method} ${pathTemplate}`,
        place: placeOf(document, object) ?? '',
        object,
        pathItem,
      };
      return [operation.route.replace(/\{[^}]*\}/g, '{}'), operation];
    }),
  );
}

/** The object that describes a parameter, in the operation or in its path; some are only implied. */
export function parameterObject(
  { document, object, pathItem }: DiffedOperation,
  parameter: Parameter,
): (ParameterObject & { readonly deprecated?: boolean }) | undefined {
  const listed = [...listOf(object.parameters), ...listOf(pathItem.parameters)];
  const place = parameter.isWholeQuery === true ? 'querystring' : parameter.in;
  return listed
    .map((one) => document.resolve(one as ParameterObject)) // the document is valid
    .find((one) => one.name === parameter.name && one.in === place);
}
