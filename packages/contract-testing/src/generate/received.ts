import { inspect } from 'node:util';
import type { Operation, Schema } from './operation.js';
import { isJsonObject, writeJson, type Json } from './json.js';
import type { Meaning } from './request.js';
import { isOfType, type Alternative, type Schemas } from './schemas.js';
import { allOf, memberSchema } from './values.js';

/** A handler's request, as far as it comes from the client. */
export interface Received {
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly cookies: unknown;
  readonly body: unknown;
}

/**
 * Where what a handler got isn't what was sent. It may have got more: what has a default is filled in.
 * An int64 must arrive as a `bigint`; other integers may be the double next to them.
 */
export function lostOnTheWay(
  schemas: Schemas,
  { parameters, querystring, body }: Operation,
  sent: Meaning,
  received: Received,
): string[] {
  const arrived = {
    path: received.params,
    query: received.query,
    header: received.headers,
    cookie: received.cookies,
  };
  const whole = [...(querystring?.content.values() ?? [])].map(({ schema }) => ({
    ...{ in: 'query' as const, name: querystring?.name ?? '', schema },
  }));
  const lost = [...parameters, ...whole].flatMap(({ in: location, name, schema }) => {
    const value = sent[location][name];
    if (value === undefined) return [];
    return differences(
      schemas,
      schema,
      value,
      member(arrived[location], name),
      `${location} ${name}`,
    );
  });
  if (sent.body === undefined || body === undefined) return lost;
  const bodies = [...body.content.values()].map(({ schema }) =>
    differences(schemas, schema, sent.body ?? null, received.body, 'body'),
  );
  // Which media type it was doesn't matter: one of their schemas must have let it through whole.
  return bodies.some((found) => found.length === 0) ? lost : [...lost, ...(bodies[0] ?? [])];
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}

function differences(
  schemas: Schemas,
  schema: Schema,
  sent: Json,
  received: unknown,
  path: string,
): string[] {
  const differs = (isSame: boolean): string[] =>
    isSame ? [] : [`${path}: sent ${writeJson(sent)}, but the handler got ${inspect(received)}`];
  const alternative = schemas
    .alternatives(schema)
    .find(
      ({ type, parts }) =>
        isOfType(sent, type) && parts.every((part) => schemas.accepts(part, sent)),
    );
  const parts = alternative?.parts ?? [];
  if (typeof sent === 'bigint') {
    if (isExact(alternative) && typeof received !== 'bigint') return differs(false);
    if (typeof received === 'bigint') return differs(received === sent);
    return differs(typeof received === 'number' && isNextTo(received, sent));
  }
  if (Array.isArray(sent)) {
    if (!Array.isArray(received) || received.length !== sent.length) return differs(false);
    return sent.flatMap((item, index) => {
      const prefix = parts.map(({ prefixItems }) => (prefixItems as Schema[] | undefined)?.[index]);
      const items = prefix.some((one) => one !== undefined)
        ? prefix
        : parts.map((part) => part.items);
      return differences(schemas, allOf(items), item, received[index], `${path}/${index}`);
    });
  }
  if (isJsonObject(sent)) {
    if (typeof received !== 'object' || received === null) return differs(false);
    return Object.entries(sent).flatMap(([name, value]) =>
      differences(
        schemas,
        memberSchema(parts, name),
        value,
        member(received, name),
        `${path}/${name}`,
      ),
    );
  }
  return differs(received === sent);
}

function isExact(alternative: Alternative | undefined): boolean {
  return (
    alternative?.parts.some(({ format }) => format === 'int64' || format === 'uint64') === true
  );
}

/** Whether a double is the integer, or as near to it as doubles are there. */
function isNextTo(double: number, integer: bigint): boolean {
  return Math.abs(double - Number(integer)) <= Math.abs(double) * 2 ** -52;
}
