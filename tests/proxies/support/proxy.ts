import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { eventually } from '../../support/eventually.js';
import { findFreePort } from '../../postgres/support/cluster.js';
import {
  createServerFolder,
  startAsPostgres,
  type Started,
} from '../../postgres/support/commands.js';
import { createCertificate, type Certificate } from './certificate.js';

/** A proxy that ends TLS in front of copies of the service. */
export interface Proxy {
  readonly url: string;
  /** Of the authority that its certificate is of. */
  readonly ca: string;
  readonly folder: string;
  readonly server: Started;
  remove(): Promise<void>;
}

/** What a shipped configuration says otherwise in a test, text by text; each has to be in the file. */
export type Replacements = Readonly<Record<string, string>>;

export interface ProxySetup {
  /** For what the proxy writes. */
  readonly folder: string;
  readonly port: number;
  /** Ports of the service's copies, on this machine. */
  readonly upstreams: readonly number[];
  readonly certificate: Certificate;
  readonly replacements: Replacements;
}

/** A proxy that deploy/ has a configuration for. */
export interface ProxyProgram {
  readonly name: string;
  readonly path: string;
  /** Whether it asks the service if it is ready, and doesn't only notice when it has failed. */
  readonly asksReadiness: boolean;
  /** For tests: one address may send any number of requests, and nobody waits long for a body. */
  readonly fitted: Replacements;
  /** So that one address may send few; undefined where the proxy counts no requests. */
  readonly strict: Replacements | undefined;
  /** So that the service has a second to answer. */
  readonly impatient: Replacements;
  /** Writes its configuration, and returns its arguments. */
  configure(setup: ProxySetup): readonly string[];
}

const DEPLOY = new URL('../../../deploy/', import.meta.url);
const READY_WITHIN_MS = 20_000;

export async function startProxy(
  program: ProxyProgram,
  upstreams: readonly number[],
  replacements: Replacements = {},
): Promise<Proxy & { readonly setup: ProxySetup }> {
  const folder = createServerFolder();
  const port = await findFreePort();
  const certificate = createCertificate(folder);
  const setup = { folder, port, upstreams, certificate, replacements };
  const server = startAsPostgres(program.path, program.configure(setup), { HOME: folder });
  await eventually(() => {
    if (server.child.exitCode !== null) throw new Error(`the proxy has ended: ${server.output()}`);
    return answers(port);
  }, READY_WITHIN_MS);
  return {
    url: `https://127.0.0.1:${port}`,
    ca: certificate.pem,
    folder,
    server,
    setup,
    async remove() {
      server.child.kill('SIGTERM');
      await server.exited;
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/**
 * A file of deploy/, with other texts where a test has something else: ports, folders and limits.
 * @throws Error where one of them isn't in the file, which then is another one than the test is for
 */
export function shipped(file: string, replacements: Replacements): string {
  let text = readFileSync(new URL(file, DEPLOY), 'utf8');
  for (const [from, to] of Object.entries(replacements)) {
    if (!text.includes(from)) throw new Error(`deploy/${file} doesn't say "${from}"`);
    text = text.replaceAll(from, to);
  }
  return text;
}

async function answers(port: number): Promise<true | undefined> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}
