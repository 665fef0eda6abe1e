import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const ROOT = new URL('../../', import.meta.url).pathname;

/** The import as a process of its own. */
export interface ImportProcess {
  readonly process: ChildProcess;
  /** What it has said so far. */
  stderr(): string;
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

/** Starts the compiled import. */
export function startImport(
  args: readonly string[],
  env: Record<string, string> = {},
  nodeArgs: readonly string[] = [],
): ImportProcess {
  const child = spawn(process.execPath, [...nodeArgs, 'dist/scripts/import.js', ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.once('close', (code) => {
      resolve({ code, stdout, stderr });
    });
  });
  return { process: child, stderr: () => stderr, ended };
}

/** Runs the compiled import to its end. */
export function runImport(
  args: readonly string[],
  env: Record<string, string> = {},
  nodeArgs: readonly string[] = [],
) {
  return startImport(args, env, nodeArgs).ended;
}

/** What stands in for the service where a test needs answers that the service doesn't give on demand. */
export interface StandIn {
  readonly url: string;
  /** The bodies it was sent, in that order. */
  readonly bodies: string[];
  readonly close: () => void;
}

/** Listens on a free port; `answer` gets the body and how many came before it. */
export async function startStandIn(
  answer: (response: ServerResponse, body: string, index: number, request: IncomingMessage) => void,
): Promise<StandIn> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      answer(response, body, bodies.push(body) - 1, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port, not a pipe
  return {
    url: `http://127.0.0.1:${port}`,
    bodies,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Answers as the service does that has stored the plant. */
export function accept(response: ServerResponse, body: string): void {
  const { name, tag } = JSON.parse(body) as { name: string; tag?: string }; // what the import sends
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ name, tag }));
}
