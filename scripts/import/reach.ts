import { once } from 'node:events';
import { connect } from 'node:net';
import { StopError } from '../stop-error.js';

const TIMEOUT_MS = 1500;

/**
 * Resolves where somebody listens at a URL. A service that goes away later is waited for; one that isn't
 * there at all is most likely somewhere else.
 * @throws StopError
 */
export async function reach(url: string): Promise<void> {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(port || (protocol === 'https:' ? 443 : 80)) });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    const { code = 'no answer' } = error as { code?: string };
    const why = code === 'ABORT_ERR' ? `no answer in ${TIMEOUT_MS} ms` : code;
    throw new StopError(
      `nobody listens at ${url} (${why}): does the service run there? see --url`,
      {
        cause: error,
      },
    );
  } finally {
    socket.destroy();
  }
}
