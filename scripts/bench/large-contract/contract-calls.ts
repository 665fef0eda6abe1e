import { Agent, request } from 'node:http';
import type { ContractDocument } from 'contract-server';
import { listOperations, type Operation } from 'contract-server/contract';
import { sampleOf } from './sample.js';

/** As many requests as are under way at a time. */
export const CONNECTIONS = 16;

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

export function send(
  port: number,
  { method, path, headers, body }: Call,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const req = request({ port, host: '127.0.0.1', method, path, headers, agent }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      res.on('end', () => {
        resolve({ status: res.statusCode ?? 0, text });
      });
    });
    req.on('error', reject).end(body);
  });
}

/** A request of the operation of this name. */
export function callNamed(document: ContractDocument, operationId: string): Call {
  const operation = listOperations(document).find((one) => one.operationId === operationId);
  if (operation === undefined) throw new Error(`the contract has no operation ${operationId}`);
  return callOf(document, operation);
}

/** A request that has what the operation requires. */
export function callOf(document: ContractDocument, operation: Operation): Call {
  const required = operation.parameters.filter((parameter) => parameter.required);
  const text = (schema: unknown): string => {
    const value = sampleOf(document, schema);
    return encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value ?? 'a'));
  };
  const query = required
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => `${name}=${text(schema)}`);
  const path = operation.pathTemplate.replace(/\{([^}]+)\}/g, (_, name: string) =>
    text(required.find((parameter) => parameter.name === name)?.schema),
  );
  const [mediaType, content] = [...(operation.requestBody?.content ?? [])][0] ?? [];
  const body =
    mediaType?.includes('json') === true
      ? JSON.stringify(sampleOf(document, content?.schema) ?? {})
      : mediaType && 'a';
  return {
    method: operation.method,
    path: query.length > 0 ? `${path}?${query.join('&')}` : path,
    headers:
      mediaType === undefined
        ? {}
        : { 'Content-Type': mediaType, 'Content-Length': String(Buffer.byteLength(body ?? '')) },
    body,
  };
}
