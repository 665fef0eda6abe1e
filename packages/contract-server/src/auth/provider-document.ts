import { excerpt } from '../json/excerpt.js';
import { isSecureUrl } from './oidc-settings.js';

/** For each of a provider's documents. */
export const FETCH_TIMEOUT_MS = 3000;
const MAX_BYTES = 262_144;

/** What a provider answered is not what it must be. The message is for the log. */
class ProviderError extends Error {
  override readonly name = 'ProviderError';
}

/**
 * Asks a provider where its keys are (OpenID Connect Discovery 1.0 §4).
 * @throws ProviderError, and what `fetch` throws
 */
export async function discoverKeySet(issuer: string): Promise<URL> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetchBounded(url, {
    redirect: 'manual',
    headers: { Accept: 'application/json' },
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
  });
  if (response.status !== 200) {
    throw new ProviderError(`${url} answered with ${response.status} instead of 200`);
  }
  const { issuer: found, jwks_uri: keySet } = await readObject(response, url);
  // §4.3: else one issuer could have its tokens taken for those of another.
  if (found !== issuer) {
    throw new ProviderError(
      `${url} names the issuer ${excerpt(String(found))}; OIDC_ISSUER must be that, to the letter`,
    );
  }
  if (typeof keySet !== 'string' || !URL.canParse(keySet) || !isSecureUrl(new URL(keySet))) {
    throw new ProviderError(`${url} has no https URL as jwks_uri`);
  }
  return new URL(keySet);
}

/** `fetch`, which reads no more than an honest provider's document has. */
export async function fetchBounded(url: string, init: RequestInit): Promise<Response> {
  const { status, body } = await fetch(url, init);
  const received: AsyncIterable<Uint8Array> | null = body;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of received ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new ProviderError(`${url} has more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return new Response(body && Buffer.concat(chunks), { status });
}

async function readObject(response: Response, url: string): Promise<Record<string, unknown>> {
  let document: unknown;
  try {
    document = await response.json();
  } catch {
    document = undefined;
  }
  if (typeof document !== 'object' || document === null)
    throw new ProviderError(`${url} is not a JSON object`);
  return document as Record<string, unknown>; // an array has none of the members either
}
