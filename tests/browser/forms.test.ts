import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createContractApp, parseContract, type FormFile } from 'contract-server';
import express from 'express';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from './chromium.js';

const schema = {
  type: 'object',
  required: ['id'],
  additionalProperties: false,
  properties: {
    id: { type: 'integer', format: 'int64' },
    name: { type: 'string' },
    photo: { type: 'string', format: 'binary' },
  },
};
const contract = {
  openapi: '3.1.0',
  info: { title: 'forms', version: '1' },
  paths: {
    '/form': {
      post: {
        operationId: 'postForm',
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': { schema, encoding: { photo: { contentType: 'image/png' } } },
            'application/x-www-form-urlencoded': { schema },
          },
        },
        responses: {
          '200': { description: 'It.', content: { 'application/json': { schema: {} } } },
        },
      },
    },
  },
};

const PAGE = `<!doctype html>
<form method="post" action="/form" enctype="multipart/form-data">
  <input name="id" value="7"><textarea name="name">two\nlines</textarea>
  <input type="file" name="photo">
</form>`;

let browser: Browser;
let server: Server;
let page: Page;

interface Body {
  readonly photo?: FormFile;
}

beforeAll(async () => {
  const handlers: Record<string, (request: { body: unknown }) => unknown> = {
    async postForm({ body }) {
      const { photo, ...texts } = body as Body; // by the contract
      if (photo === undefined) return { status: 200, body: texts };
      const chunks: Buffer[] = [];
      for await (const chunk of photo.stream as AsyncIterable<Buffer>) chunks.push(chunk);
      const { filename, mediaType } = photo;
      const text = Buffer.concat(chunks).toString();
      return { status: 200, body: { ...texts, photo: { filename, mediaType, text } } };
    },
  };
  const contractApp = await createContractApp<Record<string, never>, unknown>({
    document: await parseContract(contract),
    handlers,
    strategies: {},
    errorBody: ({ code, message }) => ({ error: code, message }),
    undeclaredErrors: 'send',
    config: { basePath: '', maxBodyBytes: 100_000, requestTimeoutMs: 10_000, trustProxy: false },
  });
  const app = express();
  app.get('/', (_req, res) => res.type('html').send(PAGE));
  app.use(contractApp);
  server = createServer(app).listen(0, '127.0.0.1');
  browser = await openBrowser();
  page = await browser.newPage();
});

afterAll(async () => {
  await browser.close();
  server.close();
});

beforeAll(async () => {
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

/** What the page gets for a form: an expression of the page's own language. */
function send(body: string): Promise<unknown> {
  return page.evaluate(
    `fetch('/form', { method: 'POST', body: ${body} }).then(async (response) => [
      response.status, await response.text()])`,
  );
}

/** What the page is answered with that sends its own form. */
async function submit(): Promise<unknown> {
  const answered = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.evaluate('document.forms[0].submit()');
  return (await answered).json();
}

const formData = (fields: string): string =>
  `${fields}.reduce((form, field) => (form.append(...field), form), new FormData())`;

describe('a form of a browser', () => {
  it('with a file is read', async () => {
    const file = `new File(['abc'], 'ü "b".png', { type: 'image/png' })`;

    const answer = await send(
      formData(`[['id', '9007199254740993'], ['name', 'a & "ü"'], ['photo', ${file}]]`),
    );

    const photo = '{"filename":"ü \\"b\\".png","mediaType":"image/png","text":"abc"}';
    expect(answer).toEqual([200, `{"id":9007199254740993,"name":"a & \\"ü\\"","photo":${photo}}`]);
  });

  it('that is URLSearchParams is read', async () => {
    const answer = await send(`new URLSearchParams([['id', '1'], ['name', 'a+b & ü']])`);

    expect(answer).toEqual([200, '{"id":1,"name":"a+b & ü"}']);
  });

  it.each([
    [`[['name', 'a']]`, 400, /body \/id: is required/],
    [`[['id', 'x']]`, 400, /body \/id: must be integer/],
    [`[['id', '1'], ['other', new Blob(['x'])]]`, 400, /body \/other: is not one of those/],
    [
      `[['id', '1'], ['photo', new Blob(['x'], { type: 'text/plain' })]]`,
      415,
      /body \/photo: must be image\/png; it is text\/plain/,
    ],
    [`[['id', '1'], ['name', 'a'.repeat(200000)]]`, 413, /larger than the 100000 bytes/],
  ])('is refused where it is wrong: %s', async (fields, status, message) => {
    const answer = await send(formData(fields));

    expect(answer).toEqual([status, expect.stringMatching(message)]);
  });

  it('without the file that nobody has chosen is sent by the page itself', async () => {
    const answer = await submit();

    expect(answer).toEqual({ id: 7, name: 'two\r\nlines' });
    await page.goBack();
  });

  it('is sent by the page itself, its line ends as HTML writes them', async () => {
    await page.setInputFiles('input[type=file]', {
      name: 'a.png',
      mimeType: 'image/png',
      buffer: Buffer.from('abc'),
    });

    const answer = await submit();

    const photo = { filename: 'a.png', mediaType: 'image/png', text: 'abc' };
    expect(answer).toEqual({ id: 7, name: 'two\r\nlines', photo });
  });
});
