import type { ParameterObject } from '../document/document.js';
import { formKindOf } from './media-type.js';

/** A parameter in one of the places where the engine looks for it. */
type PlacedParameter = Omit<ParameterObject, 'in'> & {
  readonly in: Exclude<ParameterObject['in'], 'querystring'>;
};

/**
 * A parameter that is the whole query (OpenAPI 3.2.0 §4.12.1) as one in the query. The fields of a form are
 * what an exploded object is there; any other media type is read by itself.
 */
export function inQuery(object: ParameterObject): PlacedParameter {
  if (object.in !== 'querystring') return { ...object, in: object.in };
  const { content = {}, ...others } = object;
  const [mediaType = '', declared = {}] = Object.entries(content)[0] ?? [];
  if (formKindOf(mediaType) !== 'urlencoded' || 'encoding' in declared)
    return { ...object, in: 'query' };
  return { ...others, in: 'query', style: 'form', explode: true, schema: declared.schema ?? {} };
}
