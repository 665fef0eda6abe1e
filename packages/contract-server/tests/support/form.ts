import { once } from 'node:events';
import { request as openRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from '@jest/globals';
import { createHttpServer, type FormFile } from '../../src/index.js';
import { contractOf, engineResponses, serveFixture } from './fixture.js';

/** What a handler gets of a form, its files as texts. */
export type ReceivedForm = Record<string, unknown>;

export interface FormService {
  readonly url: string;
  readonly server: Server;
  /** Of each request that reached the handler. */
  readonly received: ReceivedForm[];
  /** Sends a form; a string is sent as it is. */
  post(body: FormData | URLSearchParams | string, contentType?: string): Promise<FormAnswer>;
}

export interface FormAnswer {
  readonly status: number;
  readonly message: string | undefined;
}

const openServers: Server[] = [];
afterAll(() => {
  for (const server of openServers) {
    server.close();
    server.closeAllConnections();
  }
});

/** Serves one operation that takes a form over a real socket; `handle` may do more than read it. */
export async function serveForm(
  mediaType: string,
  media: object,
  { openapi = '3.1.0', handle = readFiles, ...overrides }: FormOptions = {},
): Promise<FormService> {
  const received: ReceivedForm[] = [];
  const requestBody = { required: true, content: { [mediaType]: media } };
  const { app } = await serveFixture(
    {
      ...contractOf({
        '/form': {
          post: {
            operationId: 'postForm',
            requestBody,
            responses: { ...engineResponses, '204': { description: 'Done.' } },
          },
        },
      }),
      openapi,
    },
    {
      postForm: async ({ body }) => {
        received.push(await handle(body as ReceivedForm));
        return { status: 204 };
      },
    },
    { limits: { maxBodyBytes: 1_000_000, requestTimeoutMs: 10_000 }, ...overrides },
  );
  const server = createHttpServer(app, {
    requestTimeoutMs: 10_000,
    errorBody: ({ code, message }) => ({ error: code, message }),
    onRefused: () => undefined,
  });
  openServers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/form`;
  return {
    url,
    server,
    received,
    async post(body, contentType) {
      const response = await fetch(url, {
        method: 'POST',
        body,
        ...(contentType !== undefined && { headers: { 'Content-Type': contentType } }),
      });
      const text = await response.text();
      const { message } = (text === '' ? {} : JSON.parse(text)) as { message?: string };
      return { status: response.status, message };
    },
  };
}

export interface FormOptions extends NonNullable<Parameters<typeof serveFixture>[2]> {
  readonly openapi?: string;
  readonly handle?: (body: ReceivedForm) => ReceivedForm | Promise<ReceivedForm>;
}

function isFile(value: unknown): value is FormFile {
  return typeof value === 'object' && value !== null && 'stream' in value;
}

/** The form with the text of each file in place of its stream. */
export async function readFiles(body: ReceivedForm): Promise<ReceivedForm> {
  const read: ReceivedForm = {};
  for (const [name, value] of Object.entries(body)) read[name] = await readValue(value);
  return read;
}

async function readValue(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(await readValue(item));
    return items;
  }
  if (!isFile(value)) return value;
  const { filename, mediaType, headers, stream } = value;
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return { filename, mediaType, headers, text: Buffer.concat(chunks).toString('utf8') };
}

/** A form whose fields come in this order; a pair of texts is a file: its name and its content. */
export function formData(
  fields: readonly (readonly [string, string | Blob] | readonly [string, Blob, string])[],
): FormData {
  const form = new FormData();
  for (const [name, value, filename] of fields) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, filename);
  }
  return form;
}

/** Opens a request whose body the test writes itself. */
export function openUpload(url: string, headers: Record<string, string>) {
  return openRequest(url, { method: 'POST', headers });
}
