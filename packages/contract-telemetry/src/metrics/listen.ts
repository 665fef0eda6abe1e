import { createServer, type Server } from 'node:net';
import { ConfigError } from 'contract-server';

/** What is wrong with METRICS_HOST rather than with METRICS_PORT. */
const HOST_ERRORS = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'];

/**
 * Listens on METRICS_PORT of METRICS_HOST.
 * @throws ConfigError where that can't be done
 */
export async function listen(server: Server, host: string, port: number): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException; // what listen fails with
    if (HOST_ERRORS.includes(code))
      throw new ConfigError([`METRICS_HOST ${host} is no address of this machine (${code})`]);
    const why =
      code === 'EADDRINUSE' ? `is in use already on ${host}` : `can't be used: ${message}`;
    throw new ConfigError([`METRICS_PORT ${port} ${why}; name a free one, or 0`]);
  }
}

/** Resolves with why METRICS_PORT of METRICS_HOST can't be listened on; undefined where it can. */
export async function findListenProblem(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    await listen(server, host, port);
    await new Promise((resolve) => server.close(resolve));
    return undefined;
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}
