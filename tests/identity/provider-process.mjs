// An OpenID provider as a process of its own, by oidc-provider. Its parent says what it is to do, by
// messages: `keys` are those it signs with from then on (the first) and publishes; `up` and `down`. It
// answers each with where it is.
import { createServer } from 'node:http';
import { once } from 'node:events';
import process from 'node:process';
import Provider from 'oidc-provider';

const { AUDIENCE, SCOPES } = process.env;

let provider;
let port = 0;
let asked = 0;
const server = createServer((req, res) => {
  if (/^\/(jwks|\.well-known)/.test(req.url)) asked++;
  if (req.url.startsWith('/interaction/')) void logIn(req, res);
  else provider.callback()(req, res);
});

process.on('message', async ({ keys, state }) => {
  if (state === 'down') {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  } else if (!server.listening) {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address());
  }
  const issuer = `http://127.0.0.1:${port}`;
  if (keys !== undefined) provider = createProvider(issuer, keys);
  process.send({ issuer, asked });
});

function createProvider(issuer, keys) {
  const [{ alg }] = keys;
  const resource = {
    scope: SCOPES,
    audience: AUDIENCE,
    accessTokenTTL: 600,
    jwt: { sign: { alg } },
  };
  const client = {
    client_secret: 'secret',
    token_endpoint_auth_method: 'client_secret_post',
    id_token_signed_response_alg: alg,
  };
  return new Provider(issuer, {
    clients: [
      {
        ...client,
        client_id: 'machine',
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
      {
        ...client,
        client_id: 'app',
        redirect_uris: ['http://127.0.0.1/callback'],
      },
    ],
    jwks: { keys },
    cookies: { keys: ['a key for cookies'] },
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => false },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      // It publishes a key to encrypt with only where there is something to encrypt.
      encryption: { enabled: true },
      requestObjects: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        defaultResource: () => AUDIENCE,
        getResourceServerInfo: (_ctx, indicator) => ({
          ...resource,
          accessTokenFormat: indicator.endsWith('/opaque') ? 'opaque' : 'jwt',
        }),
      },
    },
  });
}

/** Everybody is alice, and agrees. */
async function logIn(req, res) {
  const { prompt, params } = await provider.interactionDetails(req, res);
  const accountId = 'alice';
  if (prompt.name === 'login') {
    await provider.interactionFinished(req, res, { login: { accountId } });
    return;
  }
  const grant = new provider.Grant({ accountId, clientId: params.client_id });
  grant.addOIDCScope('openid');
  grant.addResourceScope(AUDIENCE, SCOPES);
  const grantId = await grant.save();
  await provider.interactionFinished(req, res, { consent: { grantId } });
}
