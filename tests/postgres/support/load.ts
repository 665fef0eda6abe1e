import http, { type ClientRequest } from 'node:http';
import https from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import type { Ledger, Sent } from './ledger.js';

export interface LoadOptions {
  readonly url: string;
  /** The PEM of the authority that its certificate is of, where the URL is one of https. */
  readonly ca?: string;
  readonly token: string;
  readonly connections: number;
  readonly ledger: Ledger;
  /** What the next request creates; undefined where there is nothing more to do. */
  readonly next: () => Sent | undefined;
}

export interface Load {
  /** Resolves once everything has been answered for good. */
  readonly done: Promise<void>;
  /** Lets each connection give up what isn't answered for good, and resolves once all of them rest. */
  stop(): Promise<void>;
  /** How many times a connection that was kept open turned out to be closed, so that the request was sent anew. */
  readonly closedIdle: number;
}

const RETRY_PAUSE_MS = 20;
const REQUEST_TIMEOUT_MS = 30_000;

/** Creates plants on several connections at once, each of them again and again until it is answered for good. */
export function startLoad({ url, ca, token, connections, ledger, next }: LoadOptions): Load {
  const { Agent, request } = ca === undefined ? http : https;
  const agent = new Agent({ keepAlive: true, maxSockets: connections, ...(ca && { ca }) });
  const state = { isStopping: false, closedIdle: 0 };

  const mayGoOn = (): boolean => !state.isStopping;

  async function work(): Promise<void> {
    for (let sent = next(); sent !== undefined && mayGoOn(); sent = next()) {
      while (!ledger.note(sent, await create(sent)) && mayGoOn()) await pause(RETRY_PAUSE_MS);
    }
  }

  /** The status of the answer; 0 where there is none. */
  async function create(sent: Sent): Promise<number> {
    for (;;) {
      const { status, call } = await post(sent);
      // Nobody can tell that a connection is being closed before writing to it (RFC 9112 §9.3.1).
      if (status !== 0 || !call.reusedSocket) return status;
      state.closedIdle++;
    }
  }

  function post({ id, name }: Sent): Promise<{ status: number; call: ClientRequest }> {
    return new Promise((resolve) => {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
      const options = { agent, method: 'POST', headers, timeout: REQUEST_TIMEOUT_MS };
      const call = request(`${url}/plants`, options, (response) => {
        response.resume();
        response.once('end', () => {
          resolve({ status: response.statusCode ?? 0, call });
        });
        response.once('error', () => {
          resolve({ status: 0, call });
        });
      });
      call.once('timeout', () => call.destroy());
      call.once('error', () => {
        resolve({ status: 0, call });
      });
      call.end(`{"id":${id},"name":${JSON.stringify(name)}}`);
    });
  }

  const done = Promise.all(Array.from({ length: connections }, work)).then(() => {
    agent.destroy();
  });
  return {
    done,
    async stop() {
      state.isStopping = true;
      await done;
    },
    get closedIdle() {
      return state.closedIdle;
    },
  };
}
