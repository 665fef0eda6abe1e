/** What a call of an operation takes, by the types that openapi-typescript makes of the contract. */
export type Call<Operation> = unknown extends Operation
  ? AnyCall
  : BodyPart<Operation> & ParameterParts<Operation>;

interface AnyCall {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly cookies?: Readonly<Record<string, unknown>>;
}

type BodyPart<Operation> = Operation extends { requestBody: { content: infer Content } }
  ? { readonly body: Whole<Content[keyof Content]> }
  : Operation extends { requestBody?: { content: infer Content } }
    ? { readonly body?: Whole<Content[keyof Content]> }
    : { readonly body?: undefined };

/** The items of a stream together: a call sends all of them, and resolves once the last one is there. */
type Whole<Body> = Body extends AsyncIterable<infer Item> ? readonly Item[] : Body;

/** Headers may always be added: those of authentication and negotiation are no parameters. */
interface AnyHeaders {
  readonly headers?: Readonly<Record<string, unknown>>;
}

type ParameterParts<Operation> = Operation extends { parameters: infer Parameters }
  ? AnyHeaders &
      Part<Parameters, 'path', 'params'> &
      Part<Parameters, 'query', 'query'> &
      Part<Parameters, 'header', 'headers'> &
      Part<Parameters, 'cookie', 'cookies'>
  : AnyHeaders;

type Part<Parameters, Where extends string, Name extends string> =
  Parameters extends Readonly<Record<Where, infer Values>>
    ? Readonly<Record<Name, Values>>
    : Parameters extends Readonly<Partial<Record<Where, infer Values>>>
      ? [Values] extends [never]
        ? unknown
        : Readonly<Partial<Record<Name, Values>>>
      : unknown;

interface AnyAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The body as it came. */
  readonly text: string;
}

/** What a call resolves with: one of the declared responses, told apart by its status. */
export type Answer<Operation> = Operation extends { responses: infer Responses }
  ? {
      [Status in keyof Responses]: Omit<AnyAnswer, 'status' | 'body'> & {
        readonly status: StatusOf<Status, keyof Responses>;
        readonly body: Responses[Status] extends { content: infer Content }
          ? Whole<Content[keyof Content]>
          : undefined;
      };
    }[keyof Responses]
  : AnyAnswer;

/** The statuses of a range such as `4XX`, and of `default`, are those that no other response has. */
type StatusOf<Key, Declared> = Key extends number
  ? Key
  : Exclude<
      StatusIn<Key extends 'default' ? '1' | '2' | '3' | '4' | '5' : ClassOf<Key>>,
      Declared | (Key extends 'default' ? StatusIn<ClassOf<Declared>> : never)
    >;
type ClassOf<Key> = Key extends `${infer Class}XX` ? Class : never;
type StatusIn<Class extends string> = `${Class}${Digit}${Digit}` extends infer Text
  ? Text extends `${infer Status extends number}`
    ? Status
    : never
  : never;
type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';
