import type { Contract } from './contract.js';
import type { DeclaredMedia, Operation, Parameter } from './operation.js';
import { writeForm, type FormField } from './forms.js';
import { writeItems } from './items.js';
import { isJsonObject, writeJson, type Json, type Spelling } from './json.js';
import { encode, textOf, writeParameter } from '../parameter-text.js';
import type { Meaning, TestRequest } from './request.js';

/** A request before it is written, so that one part of it can be changed. */
export interface Draft {
  readonly operation: Operation;
  /** HEAD too, where the operation is a GET. */
  readonly method: string;
  readonly parameters: readonly (readonly [Parameter, Json])[];
  /** The parameter that is the whole query, which is written as a body of its media type is. */
  readonly querystring: DraftBody | undefined;
  readonly body: DraftBody | undefined;
  readonly credentials: readonly Credential[];
  readonly accept: string | undefined;
}

export interface DraftBody {
  readonly mediaType: string;
  /** As it is sent. */
  readonly contentType: string;
  readonly declared: DeclaredMedia;
  readonly value: Json;
  readonly spelling: Spelling;
  /** White space is added up to this length to JSON and to items. */
  readonly minBytes: number;
  /** How the members of a form are written. */
  readonly fieldOf: (name: string) => FormField;
}

export interface Credential {
  readonly in: 'header' | 'query' | 'cookie';
  readonly name: string;
  readonly value: string;
}

/** The request that a draft is, to the byte. */
export function writeRequest({
  operation,
  method,
  parameters,
  querystring,
  body,
  credentials,
  accept,
}: Draft): TestRequest {
  let path = operation.path;
  const query: string[] = querystring === undefined ? [] : [writeQuerystring(querystring)];
  const cookies: string[] = [];
  const headers: [string, string][] = [];
  for (const [parameter, value] of parameters) {
    const written = writeParameter(parameter, value);
    if (written.in === 'path') path = path.replace(`{${parameter.name}}`, () => written.text);
    else if (written.in === 'header') headers.push([parameter.name, written.text]);
    else (written.in === 'query' ? query : cookies).push(...written.pairs);
  }
  for (const { in: location, name, value } of credentials) {
    if (location === 'header') headers.push([name, value]);
    else (location === 'query' ? query : cookies).push(`${name}=${encode(value)}`);
  }
  if (cookies.length > 0) headers.push(['Cookie', cookies.join('; ')]);
  if (accept !== undefined) headers.push(['Accept', accept]);
  if (body !== undefined) headers.push(['Content-Type', body.contentType]);
  return {
    method,
    target: path + (query.length > 0 ? `?${query.join('&')}` : ''),
    headers,
    body: body && Buffer.from(textOfBody(body)),
  };
}

export function textOfBody(body: DraftBody): string {
  const { mediaType, declared, value, spelling, minBytes, fieldOf } = body;
  const padded = (text: string): string =>
    text + ' '.repeat(Math.max(0, minBytes - Buffer.byteLength(text)));
  switch (declared.kind) {
    case 'form':
      return isJsonObject(value) ? writeForm(mediaType, value, fieldOf) : '';
    case 'items':
      return Array.isArray(value) ? padded(writeItems(mediaType, value, spelling)) : '';
    case 'json':
      return padded(writeJson(value, spelling));
    case 'text':
    case 'bytes':
      return textOf(value);
  }
}

/** OpenAPI 3.2.0 §4.12.1: a form is written like a query, anything else is percent-encoded as a whole. */
function writeQuerystring(querystring: DraftBody): string {
  const text = textOfBody(querystring);
  return querystring.declared.kind === 'form' ? text : encode(text);
}

/** What the operation's handler is to get. */
export function meaningOf({ operation, parameters, querystring, body }: Draft): Meaning {
  const located = (location: Parameter['in']): Readonly<Record<string, Json>> =>
    Object.fromEntries(
      parameters
        .filter(([parameter]) => parameter.in === location)
        .map(([{ name }, value]) => [name, value]),
    );
  const isValue = body !== undefined && body.declared.kind !== 'bytes';
  return {
    path: located('path'),
    query:
      querystring === undefined
        ? located('query')
        : { [operation.querystring?.name ?? '']: querystring.value },
    header: located('header'),
    cookie: located('cookie'),
    body: isValue ? body.value : undefined,
  };
}

/**
 * What one may send to satisfy a security scheme, given the secret that does: the name of an
 * authentication scheme has no case (RFC 9110 §11.1), and any number of spaces may follow it (§11.4).
 */
export function credentialsFor(contract: Contract, name: string, secret: string): Credential[] {
  const scheme = contract.securitySchemes.get(name);
  if (scheme?.type === 'apiKey') {
    return [{ in: scheme.in as Credential['in'], name: scheme.name, value: secret }];
  }
  const declared = scheme?.type === 'http' ? scheme.scheme.toLowerCase() : 'bearer';
  const httpScheme = declared.charAt(0).toUpperCase() + declared.slice(1);
  return [`${httpScheme} `, `${declared} `, `${declared.toUpperCase()} `, `${httpScheme}   `].map(
    (spelling) => ({ in: 'header', name: 'Authorization', value: spelling + secret }),
  );
}
