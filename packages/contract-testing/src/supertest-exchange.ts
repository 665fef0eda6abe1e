import type { Response } from 'supertest';
import type { Exchange } from './exchange.js';

/** What supertest has sent and received. */
export function exchangeOf(response: Response): Exchange {
  const { method, url, data, headers } = response.request.toJSON();
  const { pathname, search } = new URL(url);
  return {
    method,
    target: pathname + search,
    requestHeaders: lowerCased(headers),
    requestBody: data === undefined || typeof data === 'string' ? data : textOfData(data),
    status: response.status,
    headers: lowerCased(response.headers),
    text: textOf(response),
  };
}

function textOfData(data: unknown): string {
  return Buffer.isBuffer(data) ? data.toString() : JSON.stringify(data);
}

function lowerCased(headers: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]: [string, unknown]) => [
      name.toLowerCase(),
      [value].flat().map(String).join(', '),
    ]),
  );
}

/** Whatever its type says, there is none where the body was taken for binary. */
function textOf(response: { text: string | undefined; body: unknown }): string {
  if (response.text !== undefined) return response.text;
  return Buffer.isBuffer(response.body) ? response.body.toString() : '';
}
