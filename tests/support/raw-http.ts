import {
  connect as connectRaw,
  exchange as exchangeRaw,
  rawRequest,
  type RawConnection,
  type RawConnectionOptions,
  type RawResponse,
} from 'contract-testing/raw-http';
import { createPlantsCheck } from './contract.js';

export { rawRequest, type RawConnection, type RawConnectionOptions, type RawResponse };

/** A connection to the plant store, below the path of whose URL the contract's paths are. */
export function connect(url: string, options: RawConnectionOptions = {}): Promise<RawConnection> {
  return connectRaw(url, { check: checkOf(url), ...options });
}

/** Sends bytes on a connection of their own, and reads the first response. */
export function exchange(
  url: string,
  bytes: string | Uint8Array,
  options: RawConnectionOptions = {},
): Promise<RawResponse> {
  return exchangeRaw(url, bytes, { check: checkOf(url), ...options });
}

function checkOf(url: string) {
  return createPlantsCheck(new URL(url).pathname.replace(/\/$/, ''));
}

/** The bytes of a create. */
export function rawCreate(
  token: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): string {
  return rawRequest(
    'POST /plants HTTP/1.1',
    { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
    body,
  );
}
