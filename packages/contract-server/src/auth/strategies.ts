import passport from 'passport';
import { Strategy as BearerStrategy, type VerifyFunction } from 'passport-http-bearer';
import type { VerifyBearer } from './bearer-verifier.js';
import type { Principal, VerifyToken } from './token-verifier.js';

/** One realm for all that one service serves (RFC 9110 §11.5). */
export interface Realm {
  readonly realm: string;
}

/** A bearer token in the Authorization header (RFC 6750): `http` with `bearer`, `oauth2`, `openIdConnect`. */
export function bearerStrategy(verify: VerifyBearer, { realm }: Realm): passport.Strategy {
  async function answer(...[token, done]: Parameters<VerifyFunction>): Promise<void> {
    let principal;
    try {
      principal = await verify(token);
    } catch (error) {
      done(error);
      return;
    }
    done(null, principal ?? false);
  }
  return new BearerStrategy<VerifyFunction>({ realm }, (token, done) => {
    void answer(token, done);
  });
}

/** The part of a request that a strategy sees: the credentials of its scheme, and nothing else. */
interface Credentials {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly cookies?: Readonly<Record<string, unknown>>;
}

/** A key in a header, a query parameter or a cookie: `apiKey`. Its keys are tokens. */
export function apiKeyStrategy(
  { in: place, name }: { readonly in: 'header' | 'query' | 'cookie'; readonly name: string },
  verify: VerifyToken,
  { realm }: Realm,
): passport.Strategy {
  return new CredentialsStrategy(`ApiKey realm="${realm}"`, ({ headers, query, cookies = {} }) => {
    const keys = { header: headers[name.toLowerCase()], query: query[name], cookie: cookies[name] };
    const key = keys[place];
    return typeof key === 'string' && key !== '' ? verify(key) : undefined;
  });
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** A user and a password (RFC 7617): the name of a token, and the token. */
export function basicStrategy(verify: VerifyToken, { realm }: Realm): passport.Strategy {
  const challenge = `Basic realm="${realm}", charset="UTF-8"`;
  return new CredentialsStrategy(challenge, ({ headers }) => {
    const [, encoded] = /^basic +(\S+)$/i.exec(String(headers.authorization)) ?? [];
    if (encoded === undefined || !BASE64.test(encoded)) return undefined;
    const [user, password = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(/:(.*)/s);
    const principal = verify(password);
    return principal?.name === user ? principal : undefined;
  });
}

/** Refuses everybody, with the challenge of an authentication scheme that nobody has written yet. */
export function refusingStrategy(scheme: string, { realm }: Realm): passport.Strategy {
  return new CredentialsStrategy(`${scheme} realm="${realm}"`, () => undefined);
}

/** A strategy that decides at once: it refuses credentials that have no principal. */
class CredentialsStrategy extends passport.Strategy {
  constructor(
    readonly challenge: string,
    readonly find: (credentials: Credentials) => Principal | undefined,
  ) {
    super();
  }

  override authenticate(credentials: Credentials): void {
    // The engine treats an error thrown here as a fault: it refuses the request and logs the error.
    const principal = this.find(credentials);
    if (principal === undefined) this.fail(this.challenge);
    else this.success(principal);
  }
}
