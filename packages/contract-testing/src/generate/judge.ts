import { isUtf8 } from 'node:buffer';
import type { Check } from '../check.js';
import { ContractViolation, type Exchange } from '../exchange.js';
import type { TestRequest, TestResponse } from './request.js';

/** Says what in an exchange isn't as the contract declares it; empty where all is. */
export type Judge = (exchange: Exchange) => string[];

/** Judges as a check of the contract does, which throws at what is wrong. */
export function createJudge(check: Check): Judge {
  return (exchange) => {
    try {
      check(exchange);
      return [];
    } catch (error) {
      if (error instanceof ContractViolation) return [error.message];
      throw error;
    }
  };
}

/** What was sent and what came back, as the contract's checks take it. */
export function exchangeOf(request: TestRequest, response: TestResponse): Exchange {
  const { method, target, headers, body = Buffer.of() } = request;
  const requestHeaders: Record<string, string> = {};
  for (const [name, value] of headers) {
    const before = requestHeaders[name.toLowerCase()];
    requestHeaders[name.toLowerCase()] = before === undefined ? value : `${before}, ${value}`;
  }
  // What isn't UTF-8 would turn into another text, which may be a valid one.
  const requestBody = isUtf8(body) ? body.toString() : undefined;
  return { method, target, requestHeaders, requestBody, ...response };
}
