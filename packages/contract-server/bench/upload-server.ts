/** A server that takes uploads, for `uploads.ts`: of which kind is the argument, its port the message. */
import { unlink } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import express, { type Express } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { createContractApp, createHttpServer, parseContract, type FormFile } from '../src/index.js';

export const KINDS = ['ours', 'ours, spooled', 'multer in memory', 'multer on disk'] as const;
export type Kind = (typeof KINDS)[number];

const REQUEST_TIMEOUT_MS = 30_000;

const contract = (rest: object) => ({
  openapi: '3.0.3',
  info: { title: 'uploads', version: '1' },
  paths: {
    '/files': {
      post: {
        operationId: 'addFile',
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              ...rest,
              schema: {
                type: 'object',
                required: ['title', 'file'],
                additionalProperties: false,
                properties: {
                  title: { type: 'string', maxLength: 10 },
                  file: { type: 'string', format: 'binary' },
                },
              },
            },
          },
        },
        responses: { '204': { description: 'Done.' } },
      },
    },
  },
});

interface Upload {
  readonly file: FormFile;
}

async function createOurs(rest: object): Promise<Express> {
  const handlers: Record<string, (request: { body: unknown }) => unknown> = {
    async addFile({ body }) {
      const { file } = body as Upload; // by the contract
      let length = 0;
      for await (const chunk of file.stream as AsyncIterable<Buffer>) length += chunk.length;
      return { status: length > 0 ? 204 : 500 };
    },
  };
  return createContractApp<Record<string, never>, unknown>({
    document: await parseContract(contract({ 'x-max-body-bytes': 2 ** 31, ...rest })),
    handlers,
    strategies: {},
    errorBody: ({ code, message }) => ({ error: code, message }),
    undeclaredErrors: 'send',
    config: {
      basePath: '',
      maxBodyBytes: 1_048_576,
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
      trustProxy: false,
    },
  });
}

function createMulter(fileUploader: object): Express {
  const app = express();
  app.use(
    OpenApiValidator.middleware({
      apiSpec: contract({}) as never,
      fileUploader,
      validateResponses: true,
    }),
  );
  app.post('/files', (req, res) => {
    const files = req.files as unknown as { size: number; path?: string }[];
    const paths = files.flatMap(({ path }) => path ?? []);
    void Promise.all(paths.map((path) => unlink(path))).then(() => {
      res.status(files.every(({ size }) => size > 0) ? 204 : 500).end();
    });
  });
  return app;
}

const apps: Readonly<Record<Kind, () => Express | Promise<Express>>> = {
  ours: () => createOurs({}),
  'ours, spooled': () => createOurs({ 'x-form-files': 'spool' }),
  'multer in memory': () => createMulter({}),
  'multer on disk': () => createMulter({ dest: tmpdir() }),
};

const kind = KINDS.find((one) => one === process.argv[2]);
if (kind !== undefined && process.send !== undefined) {
  const app = await apps[kind]();
  const server = createHttpServer(app, {
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    errorBody: ({ code, message }) => ({ error: code, message }),
    onRefused: () => undefined,
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.((server.address() as AddressInfo).port);
  });
}
