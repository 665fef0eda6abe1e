import type { ParameterObject, ResponseObject } from '../document/document.js';
import { itemSchemaOf, sequenceOf } from './media-type.js';

/** A client that has lost a stream of events says with it which was its last (HTML §9.2.4). */
const LAST_EVENT_ID: ParameterObject = {
  name: 'Last-Event-ID',
  in: 'header',
  schema: { type: 'string' },
};

/** What an operation takes without declaring it: `Last-Event-ID`, where it answers with events. */
export function impliedParameters(
  declared: readonly ParameterObject[],
  responses: readonly ResponseObject[],
): ParameterObject[] {
  const isDeclared = declared.some(
    ({ name, in: location }) =>
      location === 'header' && name.toLowerCase() === LAST_EVENT_ID.name.toLowerCase(),
  );
  const answersEvents = responses.some(({ content = {} }) =>
    Object.entries(content).some(
      ([mediaType, object]) =>
        sequenceOf(mediaType) === 'events' && itemSchemaOf(object) !== undefined,
    ),
  );
  return answersEvents && !isDeclared ? [LAST_EVENT_ID] : [];
}
