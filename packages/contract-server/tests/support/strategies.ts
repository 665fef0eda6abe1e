import passport, { type Strategy } from 'passport';

/** What a strategy does with a request: calls one of these, once or never. */
export interface Actions {
  success(user: unknown): void;
  fail(challenge?: unknown, status?: number): void;
  error(error: unknown): void;
  pass(): void;
  redirect(url: string): void;
}

/** A request as a strategy sees it. */
export interface SeenRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

/** A passport strategy that does what the test says. */
export function strategyOf(
  authenticate: (actions: Actions, req: SeenRequest) => unknown,
): Strategy {
  const strategy = new passport.Strategy();
  strategy.authenticate = function (req) {
    // Passport gives the strategy these actions, and the engine this request.
    return authenticate(this, req as unknown as SeenRequest);
  };
  return strategy;
}

/** A strategy that knows who has which credentials, wherever `read` finds them. */
export function knows(
  principals: Readonly<Record<string, unknown>>,
  read: (req: SeenRequest) => string | undefined,
): Strategy {
  return strategyOf((actions, req) => {
    const principal = principals[read(req) ?? ''];
    if (principal === undefined) actions.fail('who is it?');
    else actions.success(principal);
  });
}

/** A strategy that takes the whole Authorization header for the credentials. */
export function knowsAuthorization(principals: Readonly<Record<string, unknown>>): Strategy {
  return knows(principals, ({ headers }) => headers.authorization);
}
