import { child, children, join, valueAt, type JsonObject, type Place } from './document.js';
import { isForm } from './form-field.js';
import { isEvents, isSequence, itemSchema } from './items.js';
import { isRead } from './message-values.js';
import { isJson, type Operation } from './operations.js';
import { isReadForm } from './read-form.js';
import { querystringOf } from './querystring.js';
import { JSON_TEXT } from './request-check.js';
import { ofSchema, type Constraint } from './schema-constraints.js';

/** Every constraint on the requests of an operation: on its parameters, its media types and its body. */
export function listConstraints(
  root: JsonObject,
  requestSchemas: JsonObject,
  operation: Operation,
): Constraint[] {
  const { parameters, requestBody } = operation;
  const ofParameters = parameters.flatMap((parameter) => {
    const { in: where, required } = parameter.value;
    const schema = child(root, parameter, 'schema');
    if (schema === undefined || !isRead(parameter, schema.value)) return [];
    return [
      // Without a parameter of its path, it is a request of another path.
      ...(required === true && where !== 'path' ? [bare(join(parameter.pointer, 'required'))] : []),
      ...ofSchema(requestSchemas, schema.pointer).filter(
        (found) =>
          !isForAnyText(root, found) && !(where === 'path' && isForAnySegment(root, found)),
      ),
    ];
  });
  const ofQuerystring = querystringConstraints(root, requestSchemas, operation);
  const content = requestBody && child(root, requestBody, 'content');
  if (requestBody === undefined || content === undefined)
    return [...ofParameters, ...ofQuerystring];
  const isRequired = requestBody.value.required === true;
  const bodies = children(root, requestBody, 'content');
  const hasJson = bodies.some(([type, media]) => {
    const isOfItems = isSequence(type) && itemSchema(root, media) !== undefined;
    // What is no field of an event is passed over, so no text is malformed.
    return isOfItems ? !isEvents(type) : isJson(type);
  });
  return [
    ...ofParameters,
    ...ofQuerystring,
    ...(isRequired ? [bare(join(requestBody.pointer, 'required'))] : []),
    ...('*/*' in content.value ? [] : [bare(content.pointer)]),
    ...(hasJson ? [bare(join(content.pointer, JSON_TEXT))] : []),
    ...bodies.flatMap(([type, media]) => ofMedia(root, requestSchemas, type, media)),
  ];
}

/** The constraints of a parameter that is the whole query. */
function querystringConstraints(
  root: JsonObject,
  schemas: JsonObject,
  operation: Operation,
): Constraint[] {
  const querystring = querystringOf(root, operation);
  if (querystring === undefined) return [];
  const { parameter, contentType, media } = querystring;
  return [
    ...(parameter.value.required === true ? [bare(join(parameter.pointer, 'required'))] : []),
    ...ofMedia(root, schemas, contentType, media),
  ];
}

/** The constraints of what is sent with a media type. */
function ofMedia(
  root: JsonObject,
  schemas: JsonObject,
  mediaType: string,
  media: Place,
): Constraint[] {
  const item = isSequence(mediaType) ? itemSchema(root, media) : undefined;
  if (item !== undefined) {
    return isEvents(mediaType) ? ofEvents(schemas, item.pointer) : ofSchema(schemas, item.pointer);
  }
  const schema = child(root, media, 'schema');
  if (schema === undefined || !(isJson(mediaType) || isForm(mediaType))) return [];
  if (isForm(mediaType) && !isReadForm(root, media, schema, mediaType)) return [];
  const all = ofSchema(schemas, schema.pointer);
  return isForm(mediaType)
    ? all.filter((found) => !isForAnyForm(root, schema.pointer, found))
    : all;
}

/** Of the fields of an event, and of the JSON that its data is. */
function ofEvents(schemas: JsonObject, pointer: string): Constraint[] {
  const seen = new Set<string>();
  // The fields of every event are texts, others are passed over, and without data it is none.
  const ofFields = ofSchema(schemas, pointer, seen).filter(
    ({ pointer: at }) => !/\/(type|additionalProperties|required\/\(data\))$/.test(at),
  );
  const contents = [...seen].map((at) => join(at, 'contentSchema'));
  return [...ofFields, ...contents.flatMap((at) => ofSchema(schemas, at))];
}

/** A parameter is text, or several: that is no constraint. */
function isForAnyText(root: JsonObject, { pointer }: Constraint): boolean {
  const types = pointer.endsWith('/type') ? [valueAt(root, pointer)].flat() : [];
  return types.includes('string') || types.includes('array');
}

/** A form is an object, and what is written once may be a list of one. */
function isForAnyForm(root: JsonObject, form: string, { pointer }: Constraint): boolean {
  const types = pointer.endsWith('/type') ? [valueAt(root, pointer)].flat() : [];
  return pointer === join(form, 'type') || types.includes('array');
}

/** A path with an empty segment is another path. */
function isForAnySegment(root: JsonObject, { pointer }: Constraint): boolean {
  return pointer.endsWith('/minLength') && valueAt(root, pointer) === 1;
}

function bare(pointer: string): Constraint {
  return { pointer, at: '', appliesTo: () => false, isBrokenBy: () => false };
}
