/**
 * Serves a contract with handlers that answer what its schemas ask for. `served.ts` starts it: CONTRACT
 * is the file, or `payments`, ONLY the one operation to serve, if any, and WARM_UP is `true` for a
 * warm-up. It tells on standard output, as a line of JSON, when it listens; `/-/state` tells the rest.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import express from 'express';
import { listOperations, type Operation } from 'contract-server/contract';
import { parseContract, readContract, serveContract, type ContractWarning } from 'contract-server';
import { cutContract } from './cut-contract.js';
import { paymentContract } from './payment-contract.js';
import { sampleOf } from './sample.js';

export interface ServerState {
  readonly rssBytes: number;
  /** Of the JavaScript heap, what is in use. */
  readonly heapBytes: number;
  /** Responses that the contract refused, by operation. */
  readonly refused: readonly string[];
  /** What went wrong while an operation was built or called, by operation. */
  readonly broken: readonly string[];
  readonly notes: readonly ContractWarning[];
}

const { CONTRACT = '', ONLY, WARM_UP } = process.env;
const whole =
  CONTRACT === 'payments' ? await parseContract(paymentContract) : await readContract(CONTRACT);
const document = ONLY === undefined ? whole : await parseContract(cutContract(whole.root, ONLY));
const operations = listOperations(document);
const refused: string[] = [];
const broken: string[] = [];
const notes: ContractWarning[] = [];

const contract = await serveContract({
  document,
  handlers: Object.fromEntries(
    operations.map((operation) => [operation.operationId, createStub(operation)]),
  ) as never, // the operations are known only now
  strategies: {},
  limits: { maxBodyBytes: 1_000_000, requestTimeoutMs: 30_000 },
  errorBody: ({ code, message }) => ({ code: String(code), message }),
  checkAvailable: () => undefined,
  undeclaredErrors: 'send',
  warmUp: WARM_UP === 'true',
  onWarning: (note) => notes.push(note),
  onFault: ({ operationId, error, problems }) => {
    if (error === undefined)
      refused.push(`${operationId}: ${JSON.stringify(problems?.slice(0, 2))}`);
    else broken.push(`${operationId}: ${inspect(error)}`);
  },
});

const app = express().disable('x-powered-by').disable('etag');
app.get('/-/state', async (_req, res) => {
  // What is no longer used is given back some time after it has been collected.
  for (let pass = 0; pass < 3; pass++) {
    globalThis.gc?.();
    await sleep(300);
  }
  const { rss, heapUsed } = process.memoryUsage();
  const state: ServerState = { rssBytes: rss, heapBytes: heapUsed, refused, broken, notes };
  res.json(state);
});
app.use(contract.operations, contract.checkRequest, contract.notFound, contract.onError);
const server = createServer(app).listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo; // it listens on a port
  console.log(JSON.stringify({ port, bootMs: performance.now() }));
});

/** Answers with the operation's first success. */
function createStub(operation: Operation): () => unknown {
  const [status, response] =
    [...operation.responses].find(([code]) => /^[23]/.test(code)) ??
    [...operation.responses][0] ??
    [];
  const [contentType, content] = Object.entries(response?.content ?? {})[0] ?? [];
  const body = content === undefined ? undefined : sampleOf(document, content.schema);
  const headers = Object.fromEntries(
    Object.entries(response?.headers ?? {}).flatMap(([name, header]) => {
      const { required, schema } = document.resolve(header);
      return required === true ? [[name, sampleOf(document, schema)]] : [];
    }),
  );
  return () => ({ status: Number(status), headers, contentType, body });
}
