import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isObject, type ContractDocument, type Operation } from 'contract-server/contract';
import { writeJson } from 'contract-server/json';
import { candidateRequests, createMockApp, type MockRequest } from 'contract-server/mock';
import { writeParameter } from 'contract-testing/parameters';
import { ProjectError } from './project-error.js';

/** A request that its operation accepts. */
export interface SampleRequest extends MockRequest {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether TypeScript can write its body: not where an object's other members have a schema. */
  readonly isTyped: boolean;
  /** What it is answered with. */
  readonly status: number;
}

/** What a client sends for a security scheme: headers, and pairs of the query. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: readonly string[];
}

export interface SampleRequests {
  readonly samples: ReadonlyMap<Operation, SampleRequest>;
  /** Why some operations have none. */
  readonly missing: readonly string[];
}

/** Finds a request for each operation that the operation accepts, by asking a mock of the contract. */
export async function createSampleRequests(
  document: ContractDocument,
  operations: readonly Operation[],
): Promise<SampleRequests> {
  const app = await createMockApp({
    document,
    config: { basePath: '', maxBodyBytes: 1_048_576, requestTimeoutMs: 30_000, trustProxy: false },
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port, not a pipe
  try {
    const samples = new Map<Operation, SampleRequest>();
    const missing: string[] = [];
    for (const operation of operations) {
      const credentials = anyCredentials(document, operation);
      const url = `http://127.0.0.1:${port}`;
      try {
        samples.set(operation, await findSampleRequest(document, operation, url, credentials));
      } catch (error) {
        if (!(error instanceof ProjectError)) throw error;
        missing.push(error.message);
      }
    }
    return { samples, missing };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/**
 * Finds a request that an operation accepts, by sending it to a service of the contract.
 * @throws ProjectError that says what the last one was answered with, where there is none
 */
export async function findSampleRequest(
  document: ContractDocument,
  operation: Operation,
  url: string,
  credentials: Credentials,
): Promise<SampleRequest> {
  const { operationId, method } = operation;
  const schemas = [...(operation.requestBody?.content.values() ?? [])];
  const isTyped = !hasTypedOthers(document, schemas);
  let said = 'no request could be made of its schemas';
  for (const candidate of candidateRequests(document, operation)) {
    const { target, headers } = addressOf(operation, candidate);
    const address = [target, ...credentials.query].join(target.includes('?') ? '&' : '?');
    const response = await fetch(url + address, {
      method,
      headers: { ...headers, ...credentials.headers },
      redirect: 'manual',
      ...(candidate.body !== undefined && { body: textOf(candidate) }),
    });
    const text = await response.text();
    const { status } = response;
    if (status < 400) return { ...candidate, target, headers, status, isTyped };
    said = `${response.status} ${text}`;
  }
  throw new ProjectError(
    `${operationId}: no request was found that it accepts, or no answer that keeps the contract; give its schemas an example. The last one was answered with ${said}`,
  );
}

/**
 * Whether a schema, or one that it reaches, describes some members of an object by name, and all others
 * by a schema: a type says that of all members, those with names too.
 */
function hasTypedOthers(
  document: ContractDocument,
  schema: unknown,
  seen = new Set<unknown>(),
): boolean {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return false;
  seen.add(schema);
  if (isObject(schema)) {
    const { $ref, properties, additionalProperties } = schema;
    if (typeof $ref === 'string' && hasTypedOthers(document, document.resolve(schema), seen))
      return true;
    if (isObject(properties) && isObject(additionalProperties)) return true;
  }
  return Object.values(schema).some((part) => hasTypedOthers(document, part, seen));
}

function addressOf(operation: Operation, { parameters, contentType }: MockRequest) {
  let path = operation.pathTemplate;
  const query: string[] = [];
  const cookies: string[] = [];
  const headers: Record<string, string> = {};
  for (const { parameter, value } of parameters) {
    const { mediaType } = parameter;
    if (parameter.isWholeQuery === true && mediaType !== undefined) {
      query.push(encodeURIComponent(textAs(mediaType, value)));
      continue;
    }
    const isJson = mediaType !== undefined && JSON_TYPE.test(mediaType);
    const written = writeParameter({ ...parameter, isJson }, value);
    if (written.in === 'path') path = path.replace(`{${parameter.name}}`, () => written.text);
    else if (written.in === 'header') headers[parameter.name] = written.text;
    else (written.in === 'query' ? query : cookies).push(...written.pairs);
  }
  if (cookies.length > 0) headers.Cookie = cookies.join('; ');
  if (contentType !== undefined) headers['Content-Type'] = contentType.replaceAll('*', 'plain');
  return { target: path + (query.length > 0 ? `?${query.join('&')}` : ''), headers };
}

/** A mock takes any credentials, so each scheme gets some. */
function anyCredentials(document: ContractDocument, { security }: Operation): Credentials {
  const headers: Record<string, string> = {};
  const query: string[] = [];
  for (const name of Object.keys(security[0] ?? {})) {
    const scheme = document.resolve(document.root.components?.securitySchemes?.[name]) as Readonly<
      Record<string, unknown>
    >; // the boot has found it
    const key = String(scheme.name);
    if (scheme.type !== 'apiKey') {
      const authorization = scheme.type === 'http' ? String(scheme.scheme) : 'Bearer';
      headers.Authorization = `${authorization} ${Buffer.from('a:b').toString('base64')}`;
    } else if (scheme.in === 'header') headers[key] = 'any';
    else if (scheme.in === 'cookie') headers.Cookie = `${key}=any`;
    else query.push(`${encodeURIComponent(key)}=any`);
  }
  return { headers, query };
}

export function textOf({ contentType = '', body }: MockRequest): string {
  return textAs(contentType, body);
}

const JSON_TYPE = /[/+]json *(;|$)/i;

/** A text as it is, unless its media type is JSON, which anything else is in any case. */
function textAs(mediaType: string, value: unknown): string {
  return typeof value === 'string' && !JSON_TYPE.test(mediaType) ? value : writeJson(value);
}
