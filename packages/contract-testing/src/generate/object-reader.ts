import type { DeclaredMedia, DeclaredResponse, Operation, Parameter, Schema } from './operation.js';
import type { Location } from '../parameter-text.js';
import { eventSchema } from './events.js';
import { bodyKindOf, isEvents, isSequence } from './media-type.js';
import { lookUp, membersOf, type Members } from './members.js';

const STYLES = { path: 'simple', query: 'form', header: 'simple', cookie: 'form' } as const;

/** Reads the objects of a contract whose schemas are JSON Schema, references followed. */
export function createReader(root: Members) {
  const of = (value: unknown): Members => {
    const object = membersOf(value);
    return typeof object.$ref === 'string' ? of(lookUp(root, object.$ref)) : object;
  };
  const mediaOf = (mediaType: string, media: Members): DeclaredMedia => {
    const encoding = membersOf(media.encoding);
    const item = (media.itemSchema ?? media['x-item-schema']) as Schema | undefined;
    if (item === undefined || !isSequence(mediaType)) {
      const schema = (media.schema ?? true) as Schema;
      return { kind: bodyKindOf(mediaType), schema, encoding };
    }
    const items = isEvents(mediaType) ? eventSchema(root, item) : item;
    return { kind: 'items', schema: { type: 'array', items }, encoding };
  };
  const contentOf = (value: unknown): Map<string, DeclaredMedia> =>
    new Map(
      Object.entries(membersOf(value)).map(([mediaType, media]) => [
        mediaType,
        mediaOf(mediaType, of(media)),
      ]),
    );
  return {
    of,
    body(value: unknown): Operation['body'] {
      if (value === undefined) return undefined;
      const body = of(value);
      return { required: body.required === true, content: contentOf(body.content) };
    },
    querystring(values: readonly unknown[]): Operation['querystring'] {
      const found = values.map(of).find((parameter) => parameter.in === 'querystring');
      if (found === undefined) return undefined;
      const { name, required, content } = found;
      return { name: String(name), required: required === true, content: contentOf(content) };
    },
    responses(value: unknown): Map<string, DeclaredResponse> {
      return new Map(
        Object.entries(membersOf(value)).map(([status, unresolved]) => {
          const response = of(unresolved);
          const headers = Object.entries(membersOf(response.headers)).map(([name, header]) => ({
            name,
            required: of(header).required === true,
            schema: (of(header).schema ?? true) as Schema,
          }));
          return [status, { headers, content: contentOf(response.content) }];
        }),
      );
    },
    parameters(values: readonly unknown[]): Parameter[] {
      const found = new Map<string, Parameter>();
      for (const parameter of values.map(of)) {
        if (parameter.in === 'querystring') continue;
        const location = parameter.in as Location;
        const style = (parameter.style ?? STYLES[location]) as string;
        const [content] = [...contentOf(parameter.content).values()];
        const key = `${location} ${String(parameter.name)}`;
        if (found.has(key)) continue;
        found.set(key, {
          name: String(parameter.name),
          in: location,
          required: parameter.required === true,
          style,
          explode: (parameter.explode ?? style === 'form') as boolean,
          schema: content?.schema ?? (parameter.schema as Schema | undefined) ?? true,
          isJson: content?.kind === 'json',
        });
      }
      return [...found.values()];
    },
  };
}
