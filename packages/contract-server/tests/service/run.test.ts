import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';

const PROGRAM = fileURLToPath(new URL('./streaming-service.ts', import.meta.url));

interface RunningService {
  readonly url: string;
  readonly process: ChildProcess;
  /** Resolves with the exit code. */
  readonly exited: Promise<number | null>;
  /** Resolves with the first line of its log that has this message. */
  logged(msg: string): Promise<Record<string, unknown>>;
}

let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill('SIGKILL');
});

/** Starts the service as a process of its own and resolves once it says that it listens. */
async function start(env: Record<string, string> = {}): Promise<RunningService> {
  const program = spawn(process.execPath, ['--conditions=workspace', '--import=tsx', PROGRAM], {
    env: { PATH: process.env.PATH, PORT: '0', SHUTDOWN_TIMEOUT_MS: '20000', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child = program;
  const exited = once(program, 'exit').then(([code]) => code as number | null); // as node documents it
  const lines: Record<string, unknown>[] = [];
  const output = createInterface({ input: program.stdout });
  const logged = async (msg: string): Promise<Record<string, unknown>> => {
    for (;;) {
      const line = lines.find((one) => one.msg === msg);
      if (line !== undefined) return line;
      await once(output, 'line');
    }
  };
  output.on('line', (line) => lines.push(JSON.parse(line) as Record<string, unknown>));
  const { url } = await logged('listening');
  return { url: String(url), process: program, exited, logged };
}

/** An answer whose first part has come, and what comes after it: all of it, or a failure. */
async function openStream(url: string): Promise<{ first: string; rest: () => Promise<string> }> {
  const { body } = await fetch(url);
  if (body === null) throw new Error('the answer has no body');
  const texts = body.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  const next = async (): Promise<string | undefined> => {
    const { value, done } = await texts.next();
    return done === true ? undefined : value;
  };
  const first = (await next()) ?? '';
  return {
    first,
    async rest() {
      let all = '';
      for (let text = await next(); text !== undefined; text = await next()) all += text;
      return all;
    },
  };
}

describe('a service that is told to stop while a stream is open', () => {
  it('ends a stream of events and exits with 0', async () => {
    const service = await start();
    const stream = await openStream(`${service.url}/events`);

    service.process.kill('SIGTERM');

    expect(stream.first).toBe('event: measured\ndata: {"id":1,"value":1}\n\n');
    expect(await stream.rest()).toBe('');
    expect(await service.exited).toBe(0);
  });

  it('sends the items with which a handler ends, and exits with 0', async () => {
    const service = await start();
    const stream = await openStream(`${service.url}/readings`);

    service.process.kill('SIGTERM');

    expect(await stream.rest()).toBe('{"id":2,"value":1}\n');
    expect(await service.exited).toBe(0);
  });

  it('takes the items that a client is sending to their end, and exits with 0', async () => {
    const service = await start();
    const headers = { 'Content-Type': 'application/jsonl' };
    const sending = request(`${service.url}/readings`, { method: 'POST', headers });
    const answered = once(sending, 'response');
    sending.write('{"id":1,"value":1}\n');
    await service.logged('item');

    service.process.kill('SIGTERM');
    await service.logged('stopping');
    sending.end('{"id":2,"value":1}\n');

    expect(await answered).toMatchObject([{ statusCode: 204 }]);
    expect(await service.exited).toBe(0);
  });

  it('breaks off a stream that has not ended within SHUTDOWN_TIMEOUT_MS, and exits with 1', async () => {
    const service = await start({ STUBBORN: 'yes', SHUTDOWN_TIMEOUT_MS: '100' });
    const stream = await openStream(`${service.url}/readings`);

    service.process.kill('SIGTERM');

    await expect(stream.rest()).rejects.toThrow();
    expect(await service.exited).toBe(1);
  });
});
