import { describe, expect, it } from '@jest/globals';
import { problemsOf } from '../support/contract-problems.js';
import type { Strategy } from 'passport';
import request from 'supertest';
import { contractOf, engineResponses, oneToken, serveFixture } from '../support/fixture.js';
import { knows, knowsAuthorization, strategyOf } from '../support/strategies.js';

const SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'basic' },
  negotiate: { type: 'http', scheme: 'Negotiate' },
  headerKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
  queryKey: { type: 'apiKey', in: 'query', name: 'api key' },
  cookieKey: { type: 'apiKey', in: 'cookie', name: 'sid' },
  oauth: {
    type: 'oauth2',
    flows: { clientCredentials: { tokenUrl: 'https://a.example/token', scopes: { read: '' } } },
  },
  oidc: { type: 'openIdConnect', openIdConnectUrl: 'https://a.example/.well-known' },
  mutual: { type: 'mutualTLS' },
};

type SchemeName = keyof typeof SCHEMES;

const STRATEGIES: Readonly<Record<Exclude<SchemeName, 'mutual'>, Strategy>> = {
  bearer: knowsAuthorization({ 'Bearer t': 'bearer' }),
  basic: knowsAuthorization({ 'Basic dTpw': 'basic' }),
  negotiate: knowsAuthorization({ 'negotiate abc': 'negotiate' }),
  headerKey: knows({ k: 'headerKey' }, ({ headers }) => headers['x-api-key']),
  queryKey: knows({ 'k&': 'queryKey' }, ({ query }) => query['api key']),
  cookieKey: knows({ 'k;': 'cookieKey' }, ({ cookies }) => cookies.sid),
  oauth: knowsAuthorization({
    'Bearer t': { name: 'oauth', scopes: ['read', 'list'] },
    'Bearer none': { name: 'oauth' },
    'Bearer odd': { name: 'oauth', scopes: 'read list' },
  }),
  oidc: knowsAuthorization({ 'Bearer t': 'oidc' }),
};

/** Credentials that each scheme's strategy knows. */
const GOOD: Readonly<Record<keyof typeof STRATEGIES, Credentials>> = {
  bearer: { headers: { Authorization: 'Bearer t' } },
  basic: { headers: { Authorization: 'Basic dTpw' } },
  negotiate: { headers: { Authorization: 'negotiate abc' } },
  headerKey: { headers: { 'X-API-KEY': 'k' } },
  queryKey: { query: 'api%20key=k%26' },
  cookieKey: { headers: { Cookie: 'a=b; sid=k%3B; sidecar=1' } },
  oauth: { headers: { Authorization: 'Bearer t' } },
  oidc: { headers: { Authorization: 'Bearer t' } },
};

interface Credentials {
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly query?: string;
}

type Security = readonly Readonly<Partial<Record<SchemeName, readonly string[]>>>[];

/** Serves one operation, and one more that has the security of the whole document. */
async function serve(
  security: Security | undefined,
  strategies: Readonly<Record<string, Strategy>> = STRATEGIES,
  root: object = {},
  realm?: string,
) {
  const responses = {
    ...engineResponses,
    '204': { description: '' },
    '403': engineResponses['400'],
  };
  const principals: unknown[] = [];
  const byScheme: unknown[] = [];
  const { app, faults } = await serveFixture(
    contractOf(
      { '/a': { get: { operationId: 'getA', responses, ...(security && { security }) } } },
      { components: { securitySchemes: SCHEMES }, ...root },
    ),
    {
      getA: ({ principal, principals: named }) => {
        principals.push(principal);
        byScheme.push(named);
        return { status: 204 };
      },
    },
    { strategies, ...(realm !== undefined && { realm }) },
  );
  const send = ({ headers = {}, query = '' }: Credentials = {}) =>
    request(app)
      .get(`/a?${query}`)
      // Superagent's type has no repeated headers, node has.
      .set(headers as Record<string, string>);
  return { send, principals, byScheme, faults };
}

describe('OpenAPI 3.1.0 §4.8.27 Security Scheme', () => {
  const names = Object.keys(GOOD) as (keyof typeof GOOD)[];

  it.each(names)('%s: the principal is what its strategy says', async (name) => {
    const { send, principals } = await serve([{ [name]: [] }]);

    const response = await send(GOOD[name]);

    expect(response.status).toBe(204);
    expect(principals).toEqual([name === 'oauth' ? expect.objectContaining({ name }) : name]);
  });

  it.each(
    names.flatMap((name) =>
      names
        .filter((other) => GOOD[other] !== GOOD[name])
        .filter((other) => JSON.stringify(GOOD[other]) !== JSON.stringify(GOOD[name]))
        .map((other) => [name, other] as const),
    ),
  )('%s: refuses the credentials of %s', async (name, other) => {
    const { send, principals } = await serve([{ [name]: [] }]);

    const response = await send(GOOD[other]);

    expect(response.status).toBe(401);
    expect(response.headers['www-authenticate']).toBeTruthy();
    expect(principals).toEqual([]);
  });

  it('takes any number of spaces after the scheme (RFC 6750 §2.1, RFC 9110 §11.4)', async () => {
    const { send, principals } = await serve([{ bearer: [] }]);
    const [scheme = '', token = ''] = String(GOOD.bearer.headers?.Authorization).split(' ');

    const responses = [
      await send({ headers: { Authorization: `${scheme}  ${token}` } }),
      await send({ headers: { Authorization: `${scheme}${' '.repeat(100)}${token}` } }),
    ];

    expect(responses.map(({ status }) => status)).toEqual([204, 204]);
    expect(principals).toEqual(['bearer', 'bearer']);
  });

  it.each<[SchemeName, string, Credentials]>([
    ['bearer', 'empty', { headers: { Authorization: '' } }],
    ['bearer', 'of a scheme that only begins like it', { headers: { Authorization: 'BearerX t' } }],
    ['bearer', 'repeated', { headers: { Authorization: ['Bearer t', 'Bearer u'] } }],
    ['bearer', 'repeated, the same', { headers: { Authorization: ['Bearer t', 'Bearer t'] } }],
    ['bearer', 'in the query', { query: 'access_token=t&authorization=Bearer+t' }],
    ['headerKey', 'empty', { headers: { 'X-Api-Key': '' } }],
    ['headerKey', 'repeated', { headers: { 'X-Api-Key': ['k', 'k'] } }],
    ['headerKey', 'in the query', { query: 'X-Api-Key=k&x-api-key=k' }],
    ['queryKey', 'empty', { query: 'api%20key=' }],
    ['queryKey', 'repeated', { query: 'api%20key=k%26&api+key=k%26' }],
    ['queryKey', 'in a header', { headers: { 'api-key': 'k&' } }],
    ['cookieKey', 'empty', { headers: { Cookie: 'sid=' } }],
    ['cookieKey', 'repeated', { headers: { Cookie: 'sid=k%3B; sid=k%3B' } }],
    ['cookieKey', 'in another cookie', { headers: { Cookie: 'xsid=k%3B; SID=k%3B' } }],
  ])('%s: refuses credentials that are %s', async (name, _how, credentials) => {
    const { send, principals } = await serve([{ [name]: [] }]);

    const response = await send(credentials);

    expect(response.status).toBe(401);
    expect(response.headers['www-authenticate']).toContain(`realm="${name}"`);
    expect(principals).toEqual([]);
  });

  it('gives a strategy its own credentials and nothing else of the request', async () => {
    const seen: unknown[] = [];
    const strategies = Object.fromEntries(
      names.map((name) => [
        name,
        strategyOf((actions, { headers, query, cookies, body }) => {
          seen.push({
            headers: { ...headers },
            query: { ...query },
            cookies: { ...cookies },
            body,
          });
          actions.fail();
        }),
      ]),
    );
    const { send } = await serve(
      [{ bearer: [] }, { headerKey: [] }, { queryKey: [] }, { cookieKey: [] }],
      strategies,
    );

    await send({
      headers: {
        Authorization: 'Bearer t',
        'X-Api-Key': 'k',
        Cookie: 'sid=c; a=b',
        'X-Other': '1',
      },
      query: 'api+key=q&access_token=t',
    });

    const nothing = { headers: {}, query: {}, cookies: {}, body: undefined };
    expect(seen).toEqual([
      { ...nothing, headers: { authorization: 'Bearer t' } },
      { ...nothing, headers: { 'x-api-key': 'k' } },
      { ...nothing, query: { 'api key': 'q' } },
      { ...nothing, cookies: { sid: 'c' } },
    ]);
  });

  it('doesn’t ask the strategy of an API key that isn’t there', async () => {
    const anybody = strategyOf((actions) => {
      actions.success('anybody');
    });
    const { send } = await serve([{ headerKey: [] }], { headerKey: anybody });

    expect((await send()).status).toBe(401);
  });
});

describe('OpenAPI 3.1.0 §4.8.30 Security Requirement', () => {
  const both = { headers: { ...GOOD.bearer.headers, ...GOOD.headerKey.headers } };

  it.each<[string, Security, Credentials, unknown]>([
    ['nothing is asked for', [], {}, undefined],
    ['nothing is asked for, and credentials are sent', [], GOOD.bearer, undefined],
    ['the first of two alternatives', [{ bearer: [] }, { headerKey: [] }], GOOD.bearer, 'bearer'],
    ['the second', [{ bearer: [] }, { headerKey: [] }], GOOD.headerKey, 'headerKey'],
    [
      'both of two schemes: the first is the principal',
      [{ bearer: [], headerKey: [] }],
      both,
      'bearer',
    ],
    ['both, the other way round', [{ headerKey: [], bearer: [] }], both, 'headerKey'],
    ['none, where that is an alternative', [{ bearer: [] }, {}], {}, undefined],
    ['bad ones, where none are an alternative', [{ bearer: [] }, {}], GOOD.basic, undefined],
    ['good ones, where none are an alternative', [{ bearer: [] }, {}], GOOD.bearer, 'bearer'],
    [
      'good ones, where none are the first alternative',
      [{}, { bearer: [] }],
      GOOD.bearer,
      'bearer',
    ],
    [
      'an alternative of one, beside one of two',
      [{ bearer: [], headerKey: [] }, { cookieKey: [] }],
      GOOD.cookieKey,
      'cookieKey',
    ],
  ])('admits %s', async (_case, security, credentials, principal) => {
    const { send, principals } = await serve(security);

    const response = await send(credentials);

    expect(response.status).toBe(204);
    expect(principals).toEqual([principal]);
  });

  it.each<[string, Security, Credentials, number, string]>([
    ['no credentials', [{ bearer: [] }], {}, 40101, 'Bearer realm="bearer"'],
    [
      'unknown credentials',
      [{ bearer: [] }],
      { headers: { Authorization: 'Bearer u' } },
      40102,
      'Bearer realm="bearer"',
    ],
    [
      'none of the alternatives, and names them all',
      [{ bearer: [] }, { basic: [] }, { headerKey: [] }],
      {},
      40101,
      'Bearer realm="bearer", Basic realm="basic", ApiKey realm="headerKey"',
    ],
    [
      'only the first of two schemes',
      [{ bearer: [], headerKey: [] }],
      GOOD.bearer,
      40102,
      'ApiKey realm="headerKey"',
    ],
    [
      'only the second of two schemes',
      [{ bearer: [], headerKey: [] }],
      GOOD.headerKey,
      40102,
      'Bearer realm="bearer"',
    ],
    [
      'halves of two alternatives',
      [
        { bearer: [], headerKey: [] },
        { basic: [], cookieKey: [] },
      ],
      { headers: { ...GOOD.bearer.headers, ...GOOD.cookieKey.headers } },
      40102,
      'ApiKey realm="headerKey", Basic realm="basic"',
    ],
  ])('refuses %s', async (_case, security, credentials, error, challenge) => {
    const { send, principals } = await serve(security);

    const response = await send(credentials);

    expect(response.status).toBe(401);
    expect(response.body).toMatchObject({ error });
    expect(response.headers['www-authenticate']).toBe(challenge);
    expect(principals).toEqual([]);
  });

  it.each<[string, Security | undefined, number]>([
    ['holds where the operation has none', undefined, 401],
    ['is overridden by the operation’s own', [{ headerKey: [] }], 204],
    ['is removed by an empty one', [], 204],
  ])('of the document %s', async (_case, security, status) => {
    const { send } = await serve(security, STRATEGIES, { security: [{ bearer: [] }] });

    const response = await send(GOOD.headerKey);

    expect(response.status).toBe(status);
  });

  it('asks a scheme that stands in several alternatives once', async () => {
    let count = 0;
    const oauth = strategyOf((actions) => {
      count++;
      actions.success({ scopes: [] });
    });
    const { send } = await serve([{ oauth: ['a'] }, { oauth: ['b'] }], { oauth });

    const response = await send(GOOD.oauth);

    expect(response.status).toBe(403);
    expect(count).toBe(1);
  });

  it.each<[string, Security, readonly SchemeName[], Readonly<Record<string, string>>]>([
    ['one scheme', [{ bearer: [] }], ['bearer'], { bearer: 'bearer' }],
    [
      'all of an AND',
      [{ bearer: [], headerKey: [] }],
      ['bearer', 'headerKey'],
      { bearer: 'bearer', headerKey: 'headerKey' },
    ],
    [
      'the alternative of an OR that is satisfied, and no other',
      [{ bearer: [], queryKey: [] }, { headerKey: [] }],
      ['bearer', 'headerKey'],
      { headerKey: 'headerKey' },
    ],
    ['nobody, where anyone may call', [{ bearer: [] }, {}], [], {}],
  ])('tells the handler each principal by its scheme: %s', async (_case, security, sent, told) => {
    const { send, byScheme } = await serve(security);
    const headers = Object.assign(
      {},
      ...sent.map((name) => GOOD[name as keyof typeof GOOD].headers),
    ) as Record<string, string>;

    const response = await send({ headers });

    expect(response.status).toBe(204);
    expect(byScheme).toEqual([told]);
  });

  it.each<[string, Security, Record<string, Strategy>, RegExp]>([
    ['a scheme without strategy', [{ bearer: [] }], {}, /^security scheme bearer: has no strategy/],
    [
      'a scheme that is not defined',
      [{ nobody: [] } as never],
      {},
      /^security scheme nobody: is not defined$/,
    ],
    [
      'a scheme named like a member of every object',
      [{ constructor: [] } as never],
      {},
      /^security scheme constructor: is not defined$/,
    ],
    [
      'a type that is not supported',
      [{ mutual: [] }],
      { mutual: oneToken('t') },
      /^security scheme mutual: the type mutualTLS/,
    ],
    [
      'a strategy that no scheme has the name of',
      [],
      { other: oneToken('t') },
      /^strategy other: the contract has no such/,
    ],
    [
      'two schemes for one Authorization',
      [{ bearer: [], basic: [] }],
      STRATEGIES,
      /^getA: asks for bearer and basic together/,
    ],
  ])('stops the boot for %s', async (_case, security, strategies, problem) => {
    const problems = await problemsOf(serve(security, strategies));

    expect(problems).toEqual([expect.stringMatching(problem)]);
  });

  it('needs no strategy for a scheme that no operation asks for', async () => {
    const { send } = await serve([], {});

    expect((await send()).status).toBe(204);
  });

  it.each<[string, Security, RegExp | undefined]>([
    ['401 where credentials are asked for', [{ bearer: [] }], /with 401, which/],
    ['403 where scopes are', [{ oauth: ['read'] }], /with 401, 403, which/],
    ['neither where they are optional', [{ oauth: ['read'] }, {}], undefined],
  ])('makes the contract declare %s', async (_case, security, problem) => {
    const responses = { ...engineResponses };
    delete responses['401'];
    const operation = { operationId: 'getA', responses, security };
    const contract = contractOf(
      { '/a': { get: operation } },
      { components: { securitySchemes: SCHEMES } },
    );

    const problems = await problemsOf(
      serveFixture(contract, { getA: () => ({}) }, { strategies: STRATEGIES }),
    );

    expect(problems).toEqual(problem === undefined ? [] : [expect.stringMatching(problem)]);
  });
});

describe('RFC 6750 §3.1 insufficient_scope', () => {
  const CHALLENGE = 'Bearer realm="oauth", error="insufficient_scope"';

  it('admits a principal that has every scope', async () => {
    const { send } = await serve([{ oauth: ['read', 'list'] }]);

    expect((await send(GOOD.oauth)).status).toBe(204);
  });

  it.each<[string, Security, string, string | undefined]>([
    [
      'lacks one of the scopes',
      [{ oauth: ['read', 'write'] }],
      'Bearer t',
      `${CHALLENGE}, scope="read write"`,
    ],
    ['has no scopes', [{ oauth: ['read'] }], 'Bearer none', `${CHALLENGE}, scope="read"`],
    [
      'has something else for scopes',
      [{ oauth: ['read'] }],
      'Bearer odd',
      `${CHALLENGE}, scope="read"`,
    ],
    [
      'lacks those of each alternative',
      [{ oauth: ['write'] }, { oauth: ['admin'] }],
      'Bearer t',
      `${CHALLENGE}, scope="write", ${CHALLENGE}, scope="admin"`,
    ],
    [
      'lacks them in one alternative, and is unknown in the other',
      [{ headerKey: [] }, { oauth: ['write'] }],
      'Bearer t',
      `${CHALLENGE}, scope="write"`,
    ],
    ['lacks one that no header can say', [{ oauth: ['"r\r\n"'] }], 'Bearer t', CHALLENGE],
    [
      'lacks a role of a scheme without scopes (OpenAPI 3.1)',
      [{ basic: ['admin'] }],
      'Basic dTpw',
      undefined,
    ],
  ])('refuses with 403 a principal that %s', async (_case, security, Authorization, challenge) => {
    const { send, principals } = await serve(security);

    const response = await send({ headers: { Authorization } });

    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ error: 40301 });
    expect(response.headers['www-authenticate']).toBe(challenge);
    expect(principals).toEqual([]);
  });

  it.each<[string, Security]>([
    ['bad', [{ oauth: ['read'] }]],
    ['good for only one of two schemes', [{ oauth: ['write'], headerKey: [] }]],
  ])('is not what credentials get that are %s: 401', async (how, security) => {
    const { send } = await serve(security);

    const response = await send(
      how === 'bad' ? { headers: { Authorization: 'Bearer u' } } : GOOD.oauth,
    );

    expect(response.status).toBe(401);
  });
});

describe('RFC 9110 §15.5.2: a 401 has a challenge', () => {
  it.each<[string, unknown, string]>([
    [
      'is one',
      'Bearer realm="mine", error="invalid_token"',
      'Bearer realm="mine", error="invalid_token"',
    ],
    ['is one without parameters', 'Bearer', 'Bearer'],
    ['is one of another scheme', 'Custom a="b"', 'Custom a="b"'],
    ['is but a message', 'Token expired', 'Bearer realm="bearer"'],
    ['is an object', { message: 'expired' }, 'Bearer realm="bearer"'],
    ['can stand in no header', 'Bearer realm="a\r\nX: y"', 'Bearer realm="bearer"'],
    ['is missing', undefined, 'Bearer realm="bearer"'],
  ])('the strategy’s %s', async (_case, challenge, expected) => {
    const bearer = strategyOf((actions) => {
      actions.fail(challenge);
    });
    const { send } = await serve([{ bearer: [] }], { bearer });

    const response = await send(GOOD.bearer);

    expect(response.status).toBe(401);
    expect(response.headers['www-authenticate']).toBe(expected);
  });

  it('that names the realm of the service, where that has one', async () => {
    const { send } = await serve([{ bearer: [] }, { headerKey: [] }], STRATEGIES, {}, 'library');

    const response = await send();

    expect(response.headers['www-authenticate']).toBe(
      'Bearer realm="library", ApiKey realm="library"',
    );
  });
});

describe('a strategy', () => {
  it.each<[string, Strategy, number]>([
    [
      'has an error',
      strategyOf((actions) => {
        actions.error(new Error('directory is down'));
      }),
      500,
    ],
    [
      'has an error later',
      strategyOf((actions) => {
        setImmediate(() => {
          actions.error(new Error('directory is down'));
        });
      }),
      500,
    ],
    [
      'throws',
      strategyOf(() => {
        throw new Error('directory is down');
      }),
      500,
    ],
    ['rejects', strategyOf(() => Promise.reject(new Error('directory is down'))), 500],
    [
      'passes',
      strategyOf((actions) => {
        actions.pass();
      }),
      401,
    ],
    [
      'redirects',
      strategyOf((actions) => {
        actions.redirect('https://a.example');
      }),
      401,
    ],
    [
      'redirects later',
      strategyOf((actions) => {
        setImmediate(() => {
          actions.redirect('/');
        });
      }),
      401,
    ],
    [
      'fails with a status of its own',
      strategyOf((actions) => {
        actions.fail('no', 403);
      }),
      401,
    ],
    [
      'fails, then succeeds',
      strategyOf((actions) => {
        actions.fail();
        actions.success('late');
      }),
      401,
    ],
    [
      'fails, then has an error',
      strategyOf((actions) => {
        actions.fail();
        actions.error(new Error('directory is down'));
      }),
      401,
    ],
    [
      'succeeds with undefined',
      strategyOf((actions) => {
        actions.success(undefined);
      }),
      401,
    ],
    [
      'succeeds with null',
      strategyOf((actions) => {
        actions.success(null);
      }),
      401,
    ],
    [
      'succeeds with false',
      strategyOf((actions) => {
        actions.success(false);
      }),
      401,
    ],
  ])('that %s admits nobody', async (_case, bearer, status) => {
    const { send, principals, faults } = await serve([{ bearer: [] }], { bearer });

    const response = await send(GOOD.bearer);

    expect(response.status).toBe(status);
    expect(response.text).not.toContain('directory');
    expect(faults.map(({ error }) => String(error))).toEqual(
      status === 500 ? ['Error: directory is down'] : [],
    );
    expect(principals).toEqual([]);
  });

  it('that has an error is not passed over for the next alternative', async () => {
    const bearer = strategyOf((actions) => {
      actions.error(new Error('directory is down'));
    });
    const { send } = await serve([{ bearer: [] }, {}], { ...STRATEGIES, bearer });

    expect((await send(GOOD.bearer)).status).toBe(500);
  });

  it('that is slow doesn’t take one request for another', async () => {
    const waiting: (() => void)[] = [];
    const bearer = strategyOf((actions, { headers }) => {
      waiting.push(() => {
        actions.success(headers.authorization);
      });
      // Answers in the opposite order, once both are there.
      if (waiting.length === 2) for (const answer of waiting.reverse()) setImmediate(answer);
    });
    const { send, principals } = await serve([{ bearer: [] }], { bearer });

    const responses = await Promise.all(
      ['Bearer one', 'Bearer two'].map((Authorization) => send({ headers: { Authorization } })),
    );

    expect(responses.map(({ status }) => status)).toEqual([204, 204]);
    expect(principals).toHaveLength(2);
    expect(new Set(principals)).toEqual(new Set(['Bearer one', 'Bearer two']));
  });

  it('may be asked for many at once, some of which it refuses', async () => {
    const bearer = strategyOf((actions, { headers: { authorization = '' } }) => {
      setTimeout(
        () => {
          if (authorization.endsWith('bad')) actions.fail();
          else actions.success(authorization);
        },
        Number(/\d+/.exec(authorization)?.[0]) % 5,
      );
    });
    const { send } = await serve([{ bearer: [] }], { bearer });
    const tokens = Array.from({ length: 40 }, (_, n) => `Bearer ${n}${n % 3 === 0 ? 'bad' : ''}`);

    const responses = await Promise.all(
      tokens.map((Authorization) => send({ headers: { Authorization } })),
    );

    expect(responses.map(({ status }) => status)).toEqual(
      tokens.map((token) => (token.endsWith('bad') ? 401 : 204)),
    );
  });
});

describe('an error message', () => {
  it.each<[SchemeName, Credentials]>([
    ['bearer', { headers: { Authorization: 'Bearer hunter2' } }],
    ['basic', { headers: { Authorization: 'Basic hunter2' } }],
    ['headerKey', { headers: { 'X-Api-Key': 'hunter2' } }],
    ['queryKey', { query: 'api+key=hunter2' }],
    ['cookieKey', { headers: { Cookie: 'sid=hunter2' } }],
  ])('has no credentials of %s', async (name, credentials) => {
    const { send, faults } = await serve([{ [name]: [] }]);

    const response = await send(credentials);

    expect(response.status).toBe(401);
    expect(response.text + JSON.stringify(response.headers)).not.toContain('hunter2');
    expect(faults).toEqual([]);
  });
});
