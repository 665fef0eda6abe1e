import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  exportJWK,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
} from 'jose';

export const AUDIENCE = 'https://api.example.com';

/** A pair of keys of which an issuer publishes the public one. */
export interface IssuerKey {
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

/** An issuer in this process that answers as a test says, also as no honest provider does. */
export interface TestIssuer {
  readonly url: string;
  /** What it publishes; a test may take keys away and add others. */
  keys: IssuerKey[];
  /** The paths that it was asked for. */
  readonly asked: string[];
  /** Answers in place of the issuer; undefined where the issuer does. */
  answer: RequestListener | undefined;
  /** A token that everybody should take, but for these changes. */
  sign(
    changes?: JWTPayload,
    header?: Partial<JWTHeaderParameters>,
    key?: IssuerKey,
  ): Promise<string>;
  /** Nobody listens any more, until it is up again at the same address. */
  down(): Promise<void>;
  up(): Promise<void>;
}

export async function makeKey(kid: string, alg = 'ES256', members: JWK = {}): Promise<IssuerKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig', ...members } };
}

export async function startIssuer(): Promise<TestIssuer> {
  const asked: string[] = [];
  const server = createServer((req, res) => {
    asked.push(req.url ?? '');
    if (issuer.answer !== undefined) issuer.answer(req, res);
    else if (req.url === '/jwks')
      res.end(JSON.stringify({ keys: issuer.keys.map(({ jwk }) => jwk) }));
    else res.end(JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}/jwks` }));
  });
  await listen(server, 0);
  const { port } = server.address() as AddressInfo; // it listens on a port, not a pipe
  const issuer: TestIssuer = {
    url: `http://127.0.0.1:${port}`,
    keys: [await makeKey('first')],
    asked,
    answer: undefined,
    sign(changes = {}, header = {}, key = issuer.keys[0]) {
      if (key === undefined) throw new Error('the issuer has no key');
      const now = Math.floor(Date.now() / 1000);
      const claims = { iss: issuer.url, aud: AUDIENCE, sub: 'alice', exp: now + 600, ...changes };
      const { alg = 'ES256', kid } = key.jwk;
      return new SignJWT(claims)
        .setProtectedHeader({ alg, ...(kid !== undefined && { kid }), ...header })
        .sign(key.privateKey);
    },
    down: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
    up: () => listen(server, port),
  };
  return issuer;
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
}
