import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import {
  formData,
  openUpload,
  readFiles,
  serveForm,
  type FormOptions,
} from '../../support/form.js';

const MULTIPART = 'multipart/form-data';
const LONG = 8_000_000;
const schema = {
  type: 'object',
  required: ['video'],
  additionalProperties: false,
  properties: {
    title: { type: 'string', maxLength: 5 },
    video: { type: 'string', format: 'binary' },
  },
};
const media = { schema, 'x-max-body-bytes': 2 * LONG };
const titled = '--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nfilm\r\n';
const begun = '--b\r\nContent-Disposition: form-data; name="video"; filename="v"\r\n\r\n';
const headers = { 'Content-Type': `${MULTIPART}; boundary=b` };
const ended = '\r\n--b--\r\n';

/** The temporary files that this process has open. */
function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.includes('contract-server-') ? [path] : [];
    } catch {
      return []; // closed meanwhile
    }
  });
}

/** A promise, and what resolves it. */
function deferred<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((done) => (resolve = done));
  return { promise, resolve };
}

/** Serves the form; `called` resolves with what the handler was given, and it waits for `release`. */
async function serveHeld(
  handle: NonNullable<FormOptions['handle']> = readFiles,
  overrides: FormOptions & { media?: object } = {},
) {
  const called = deferred<Record<string, unknown>>();
  const release = deferred<undefined>();
  const failed = deferred<unknown>();
  const { media: other = media, ...rest } = overrides;
  const service = await serveForm(MULTIPART, other, {
    ...rest,
    handle: async (body) => {
      called.resolve(body);
      await release.promise;
      try {
        return await handle(body);
      } catch (error) {
        failed.resolve(error);
        throw error;
      }
    },
  });
  return {
    ...service,
    called: called.promise,
    failed: failed.promise,
    release: () => {
      release.resolve(undefined);
    },
  };
}

async function answerOf(upload: ReturnType<typeof openUpload>): Promise<number | undefined> {
  const [response] = (await once(upload, 'response')) as [{ statusCode?: number; resume(): void }];
  response.resume();
  return response.statusCode;
}

describe('OpenAPI 3.1.0 §4.8.14.4 files that stream to their handler', () => {
  it('begin before they have ended, where the contract lets nothing come behind them', async () => {
    const { url, called, release } = await serveHeld();
    const upload = openUpload(url, headers);
    upload.write(titled + begun + 'first ');

    const body = await called;

    expect(body).toMatchObject({ title: 'film', video: { filename: 'v' } });
    release();
    upload.end(`second${ended}`);
    expect(await answerOf(upload)).toBe(204);
  });

  it('come no faster than they are read', async () => {
    const { url, server, called, release, received } = await serveHeld();
    const connected = once(server, 'connection') as Promise<[Socket]>;
    const upload = openUpload(url, headers);
    upload.write(titled + begun);
    upload.write(Buffer.alloc(LONG, 'a'));
    upload.end(ended);
    const [socket] = await connected;
    await called;
    // Until nothing more is read: the socket is paused once every buffer on the way is full.
    for (let before = -1; before < socket.bytesRead;) {
      before = socket.bytesRead;
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    }

    expect(socket.bytesRead).toBeLessThan(1_000_000);
    release();
    expect(await answerOf(upload)).toBe(204);
    expect((received[0]?.video as { text: string }).text.length).toBe(LONG);
  });

  it('are the last to be judged: what comes behind them fails their stream', async () => {
    const { url, release, failed, received } = await serveHeld();
    release();
    const upload = openUpload(url, headers);
    upload.write(`${titled}${begun}video\r\n`);
    upload.end(`${titled}--b--\r\n`);

    expect(await answerOf(upload)).toBe(400);
    expect(await failed).toMatchObject({ message: 'body /title: is given more than once' });
    expect(received).toEqual([]);
  });

  it('are judged to their end before a handler that has not read them is answered for', async () => {
    const { url, release } = await serveHeld((body) => body);
    release();
    const upload = openUpload(url, headers);
    upload.write(`${titled}${begun}video\r\n`);
    upload.end('--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n\r\n--b--');

    expect(await answerOf(upload)).toBe(400);
  });

  it('are judged first, where the form is short and says its length', async () => {
    const { url, release, received } = await serveHeld((body) => body);
    release();
    const upload = openUpload(url, headers);
    upload.end(`${titled}${begun}video\r\n${titled}--b--\r\n`);

    expect(await answerOf(upload)).toBe(400);
    expect(received).toEqual([]);
  });

  it('are judged first, where the text that the contract names has not come', async () => {
    const { url, release, received } = await serveHeld();
    release();
    const upload = openUpload(url, headers);
    upload.end(`${begun}video\r\n${titled.replace('film', 'too long')}--b--\r\n`);

    expect(await answerOf(upload)).toBe(400);
    expect(received).toEqual([]);
  });

  it('are judged first, where the contract says x-form-files: spool', async () => {
    const { url, called } = await serveHeld(readFiles, {
      media: { ...media, 'x-form-files': 'spool' },
    });
    const upload = openUpload(url, headers);
    upload.write(titled + begun + 'a'.repeat(100_000));
    upload.on('error', () => undefined);

    const first = await Promise.race([
      called,
      new Promise((done) => setTimeout(done, 100, 'waiting')),
    ]);

    expect(first).toBe('waiting');
    upload.destroy();
  });
});

describe('OpenAPI 3.1.0 §4.8.14.4 files that wait for their handler', () => {
  const spooled = { ...media, 'x-form-files': 'spool' };

  it('are in one file without a name, which is gone once the request is answered', async () => {
    const { url, called, release, received } = await serveHeld(readFiles, { media: spooled });
    const upload = openUpload(url, headers);
    upload.write(titled + begun);
    upload.write(Buffer.alloc(LONG, 'a'));
    upload.end(ended);
    await called;

    expect(openFiles()).toEqual([expect.stringMatching(/\(deleted\)$/)]);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('contract-server-'))).toEqual([]);
    release();
    expect(await answerOf(upload)).toBe(204);
    expect((received[0]?.video as { text: string }).text.length).toBe(LONG);
    await goneBy(upload);
  });

  it.each([
    ['the client goes', 'gone', undefined],
    ['the handler throws', 'throws', 500],
    ['the form is too long', 'long', 413],
    ['the form is wrong', 'wrong', 400],
  ])('leave nothing behind where %s', async (_case, how, status) => {
    const { url, called, release } = await serveHeld(
      how === 'throws' ? () => Promise.reject(new Error('of the handler')) : readFiles,
      { media: spooled },
    );
    const upload = openUpload(url, headers);
    upload.on('error', () => undefined);
    upload.write(titled + begun);
    upload.write(Buffer.alloc(1_000_000));
    if (how === 'long') upload.write(Buffer.alloc(2 * LONG));
    if (how === 'wrong') upload.end(`\r\n${titled}--b--`);
    if (how === 'throws') {
      upload.end(ended);
      await called;
      release();
    }
    if (status !== undefined) expect(await answerOf(upload)).toBe(status);
    else {
      await spooling();
      upload.destroy();
    }

    await goneBy(upload);
  });
});

/** Resolves once a form is being spooled, and once none is. */
async function spooling(): Promise<void> {
  while (openFiles().length === 0) await new Promise(setImmediate);
}
async function goneBy(upload: ReturnType<typeof openUpload>): Promise<void> {
  while (openFiles().length > 0) await new Promise(setImmediate);
  upload.destroy();
  expect(openFiles()).toEqual([]);
}

describe('OpenAPI 3.1.0 §4.8.14.4 a streamed file that breaks off', () => {
  it('fails its stream where the client goes', async () => {
    const { url, called, release, failed } = await serveHeld();
    const upload = openUpload(url, headers);
    upload.on('error', () => undefined);
    upload.write(titled + begun + 'a');
    await called;
    release();

    upload.destroy();

    expect(await failed).toMatchObject({ name: 'ClientGoneError' });
  });

  it('is refused with 413 where it is longer than the operation allows', async () => {
    const { url, release } = await serveHeld();
    release();
    const upload = openUpload(url, headers);
    upload.on('error', () => undefined);
    upload.write(titled + begun);
    upload.write(Buffer.alloc(2 * LONG));

    expect(await answerOf(upload)).toBe(413);
    upload.destroy();
  });

  it('is answered with what the handler throws, before it has come', async () => {
    const { url, called, release } = await serveHeld(() => Promise.reject(new Error('of it')));
    const upload = openUpload(url, headers);
    upload.on('error', () => undefined);
    upload.write(titled + begun + 'a');
    await called;
    release();

    expect(await answerOf(upload)).toBe(500);
    upload.destroy();
  });
});

describe('OpenAPI 3.1.0 §4.9 x-max-body-bytes and x-form-files', () => {
  it('lets an operation take more than MAX_BODY_BYTES, and no more than it says', async () => {
    const service = await serveForm(MULTIPART, { ...media, 'x-max-body-bytes': 3_000_000 });
    const video = (length: number) => formData([['video', new Blob([Buffer.alloc(length)]), 'v']]);

    expect((await service.post(video(2_900_000))).status).toBe(204);
    expect((await service.post(video(3_000_000))).status).toBe(413);
  });

  it.each([
    [{ 'x-max-body-bytes': '1 GB' }, /x-max-body-bytes of multipart\/form-data must be a number/],
    [{ 'x-form-files': 'buffer' }, /x-form-files of multipart\/form-data must be stream or spool/],
  ])('%j stops the boot', async (extension, message) => {
    await expect(serveForm(MULTIPART, { schema, ...extension })).rejects.toThrow(message);
  });
});
