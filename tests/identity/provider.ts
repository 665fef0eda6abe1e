import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { exportJWK, generateKeyPair, type JWK } from 'jose';

export const AUDIENCE = 'https://plants.example.com';

const CALLBACK = 'http://127.0.0.1/callback';

/** What the provider's process answers to each message. */
interface ProviderState {
  readonly issuer: string;
  /** How often its keys, or where they are, were asked for. */
  readonly asked: number;
}

/** A real OpenID provider, whose signing keys the test knows. */
export interface Provider {
  readonly issuer: string;
  /** Signs with the first of these private keys from now on, and publishes all of them. */
  rotate(keys: readonly JWK[]): Promise<void>;
  down(): Promise<void>;
  up(): Promise<void>;
  /** How often its keys, or where they are, were asked for. */
  asked(): Promise<number>;
  /** A token for a client that acts for itself. */
  machineToken(resource?: string): Promise<string>;
  /** What a person who logs in at the client `app` gets. */
  logIn(): Promise<{ readonly accessToken: string; readonly idToken: string }>;
  stop(): Promise<void>;
}

export async function makeSigningKey(kid: string, alg = 'RS256', use = 'sig'): Promise<JWK> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg, use };
}

export async function startProvider(keys: readonly JWK[]): Promise<Provider> {
  const child = fork(fileURLToPath(new URL('provider-process.mjs', import.meta.url)), {
    env: { PATH: process.env.PATH, AUDIENCE, SCOPES: 'plants:write' },
    // Not jest's own options, nor its warnings about what is only for a test.
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const exited = once(child, 'exit');
  async function ask(message: object): Promise<ProviderState> {
    const answered = once(child, 'message');
    child.send(message);
    const [state] = (await Promise.race([answered, exited])) as [ProviderState | number | null];
    if (typeof state !== 'object' || state === null) throw new Error(`it has ended: ${errors}`);
    return state;
  }
  const { issuer } = await ask({ keys });

  async function tokens(form: Readonly<Record<string, string>>): Promise<Record<string, string>> {
    const body = new URLSearchParams({ client_secret: 'secret', ...form });
    const response = await fetch(`${issuer}/token`, { method: 'POST', body });
    if (response.status !== 200) throw new Error(await response.text());
    return (await response.json()) as Record<string, string>; // RFC 6749 §5.1
  }

  return {
    issuer,
    async rotate(next) {
      await ask({ keys: next });
    },
    async down() {
      await ask({ state: 'down' });
    },
    async up() {
      await ask({ state: 'up' });
    },
    asked: async () => (await ask({})).asked,
    async machineToken(resource = AUDIENCE) {
      const client = { client_id: 'machine', grant_type: 'client_credentials' };
      const { access_token: token } = await tokens({ ...client, resource, scope: 'plants:write' });
      return String(token);
    },
    async logIn() {
      const query = new URLSearchParams({
        client_id: 'app',
        response_type: 'code',
        redirect_uri: CALLBACK,
        scope: 'openid plants:write',
        nonce: 'a nonce',
      });
      const end = await followRedirects(`${issuer}/auth?${query.toString()}`);
      const { id_token: idToken, access_token: accessToken } = await tokens({
        client_id: 'app',
        grant_type: 'authorization_code',
        redirect_uri: CALLBACK,
        code: String(new URL(end).searchParams.get('code')),
      });
      return { accessToken: String(accessToken), idToken: String(idToken) };
    },
    async stop() {
      child.kill();
      await exited;
    },
  };
}

/** As a browser does, with its cookies, until it is sent back to the client. */
async function followRedirects(start: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = start;
  while (!url.startsWith(CALLBACK)) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${url} answered with ${await response.text()}`);
    url = new URL(location, url).href;
  }
  return url;
}
