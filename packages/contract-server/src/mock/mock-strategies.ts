import passport from 'passport';
import { isObject, type ContractDocument } from '../document/document.js';
import type { Operation } from '../operation/operation.js';
import type { Strategies } from '../security/strategy.js';

/** A base64 text with a colon in what it stands for (RFC 7617). */
const BASIC = /^basic +([A-Za-z0-9+/]+=*)$/i;

/**
 * A strategy for each security scheme of a contract that accepts any credentials of the right form, and
 * grants every scope that an operation asks for. For a mock, which has nothing to protect.
 */
export function mockStrategies(
  document: ContractDocument,
  operations: readonly Operation[],
): Strategies {
  const scopes = operations.flatMap(({ security }) =>
    security.flatMap((requirement) => Object.values(requirement).flat()),
  );
  const principal = { name: 'anybody', scopes: [...new Set(scopes)] };
  const schemes = Object.entries(document.root.components?.securitySchemes ?? {});
  return Object.fromEntries(
    schemes.map(([name, unresolved]) => {
      const scheme = document.resolve(unresolved);
      const isBasic = isObject(scheme) && String(scheme.scheme).toLowerCase() === 'basic';
      const authorization =
        isObject(scheme) && scheme.type === 'http' ? String(scheme.scheme) : 'Bearer';
      return [name, new AnybodyStrategy(principal, isBasic, `${authorization} realm="mock"`)];
    }),
  );
}

/** What the engine shows of a request: the credentials of the strategy's own scheme, if there are any. */
interface Credentials {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly cookies: Readonly<Record<string, unknown>>;
}

class AnybodyStrategy extends passport.Strategy {
  constructor(
    readonly principal: object,
    readonly isBasic: boolean,
    readonly challenge: string,
  ) {
    super();
  }

  override authenticate({ headers, query, cookies }: Credentials): void {
    const given = [headers, query, cookies].flatMap((values) => Object.values(values));
    const [first] = given;
    const text = typeof first === 'string' ? first.replace(/^bearer */i, '') : '';
    if (text !== '' && (!this.isBasic || isBasic(text))) this.success(this.principal);
    else this.fail(this.challenge);
  }
}

function isBasic(authorization: string): boolean {
  const [, encoded = ''] = BASIC.exec(authorization) ?? [];
  return Buffer.from(encoded, 'base64').includes(':');
}
