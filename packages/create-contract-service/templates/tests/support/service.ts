import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from '@jest/globals';
import { readContract } from 'contract-server';
import { createToken, createTokenVerifier } from 'contract-server/auth';
import { contractClient } from 'contract-testing';
import type { operations } from '../../generated/openapi.js';
import { createApp } from '../../src/app.js';
import { SCOPES } from '../../src/auth/strategies.js';
import { credentialsOf } from './credentials.js';

export const CONTRACT = fileURLToPath(new URL('../../api/openapi.yaml', import.meta.url));
export const MAX_BODY_BYTES = 10_000;

/** What the service answers beside its contract. */
const OUTSIDE = ['/healthz', '/readyz'];

const folder = mkdtempSync(join(tmpdir(), 'service-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

export type TestService = Awaited<ReturnType<typeof createTestService>>;

/** The service in this process, with a token of its own, and a client that checks every answer. */
export async function createTestService() {
  const tokensFile = join(folder, randomUUID());
  const token = createToken(tokensFile, 'test', { scopes: SCOPES });
  const verifyToken = createTokenVerifier(tokensFile);
  const app = await createApp({
    contract: await readContract(CONTRACT),
    config: {
      basePath: '',
      maxBodyBytes: MAX_BODY_BYTES,
      requestTimeoutMs: 30_000,
      trustProxy: false,
    },
    verifyToken,
    verifyBearer: verifyToken,
  });
  const api = contractClient<operations>(app, { contract: CONTRACT, outside: OUTSIDE });
  return { app, api, token, credentials: credentialsOf(token) };
}
