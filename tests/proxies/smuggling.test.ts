import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect as connectHttp2 } from 'node:http2';
import { connect, rawCreate, type RawConnection } from '../support/raw-http.js';
import { attacks, SMUGGLED } from './support/attacks.js';
import { caddy } from './support/caddy.js';
import { startFleet, type Fleet } from './support/fleet.js';
import { haproxy } from './support/haproxy.js';
import { startNaiveProxy } from './support/naive-proxy.js';
import { nginx } from './support/nginx.js';
import { startProxy, type Proxy } from './support/proxy.js';

const VICTIMS = 4;
/** So many that one of them comes to the service on the connection that the attack was on. */
const REQUESTS_OF_EACH = 2;

let fleet: Fleet;
let id = 0;

beforeAll(async () => {
  fleet = await startFleet({ LOG_LEVEL: 'info', REQUEST_TIMEOUT_MS: '1000' });
});
afterAll(() => fleet.remove());

/** Others than the attacker, on connections of their own. */
function connectVictims({
  url,
  ca,
}: Pick<Proxy, 'url'> & { ca?: string }): Promise<RawConnection[]> {
  return Promise.all(Array.from({ length: VICTIMS }, () => connect(url, { ca, check: undefined })));
}

/** What victims are answered that isn't the answer to what they have sent. */
async function wrongAnswers(victims: readonly RawConnection[]): Promise<string[]> {
  const ask = async (victim: RawConnection): Promise<string[]> => {
    const wrong = [];
    for (let sent = 0; sent < REQUESTS_OF_EACH; sent++) {
      const name = `victim-${++id}`;
      const body = `{"id":${id},"name":"${name}"}`;
      victim.send(rawCreate(fleet.token, body, { 'X-Request-Id': name }));
      const { status, headers, text } = await victim.response();
      const answer = `${status} ${headers['x-request-id'] ?? ''} ${text}`;
      if (answer !== `200 ${name} {"name":"${name}"}`) wrong.push(answer);
    }
    return wrong;
  };
  return (await Promise.all(victims.map(ask))).flat();
}

it('sees that a proxy which takes what it reads for one request gives victims the answers of others', async () => {
  const [port = 0] = fleet.ports;
  const naive = await startNaiveProxy(port);
  const attacker = await connect(naive.url, { check: undefined });
  const victims = await connectVictims(naive);

  attacker.send(rawCreate(fleet.token, '{}').repeat(2));
  await attacker.response();
  const wrong = await wrongAnswers(victims);
  for (const connection of [attacker, ...victims]) connection.destroy();
  naive.close();

  expect(wrong.length).toBeGreaterThan(0);
});

describe.each([nginx, haproxy, caddy])('$name', (program) => {
  let proxy: Proxy;
  let victims: RawConnection[];

  beforeAll(async () => {
    // One copy, so that everybody's requests meet on the same connections.
    proxy = await startProxy(program, fleet.ports.slice(0, 1), program.fitted);
    victims = await connectVictims(proxy);
  });
  afterAll(async () => {
    for (const victim of victims) victim.destroy();
    await proxy.remove();
  });

  it('gives everybody their own answers, whatever an attacker sends', async () => {
    const reached: Record<string, string[]> = {};
    for (const { name, bytes } of attacks(fleet.token)) {
      const attacker = await connect(proxy.url, { ca: proxy.ca, check: undefined });
      attacker.send(bytes);
      const wrong = await wrongAnswers(victims);
      attacker.destroy();
      if (wrong.length > 0) reached[name] = wrong;
    }

    expect(reached).toEqual({});
  });

  it('gives everybody their own answers where a length in HTTP/2 is wrong', async () => {
    const session = connectHttp2(proxy.url, { ca: proxy.ca });
    const smuggled = rawCreate(fleet.token, '{"id":-3,"name":"a"}', { 'X-Request-Id': SMUGGLED });
    const stream = session.request({
      ':method': 'POST',
      ':path': '/plants',
      authorization: `Bearer ${fleet.token}`,
      'content-length': '0',
    });
    stream.on('error', () => undefined).end(smuggled);

    expect(await wrongAnswers(victims)).toEqual([]);
    session.destroy();
  });
});
