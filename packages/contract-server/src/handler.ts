import type { ContentOf, ValueOf } from './handler-body.js';
import type { GeneralHeaders } from './message/response-headers.js';

/** What openapi-typescript generates of a request. */
interface RequestTypes {
  readonly parameters: {
    readonly path?: unknown;
    readonly query?: unknown;
    readonly header?: unknown;
    readonly cookie?: unknown;
  };
  readonly requestBody?: unknown;
}

/** What `contract-server generate`, or openapi-typescript alone, writes of one operation. */
export interface OperationTypes extends RequestTypes {
  readonly responses: object;
  /** Of an operation that the engine can't serve. */
  readonly unsupported?: true;
  /** The security schemes of its alternatives; `undefined` for one that asks for nothing. */
  readonly security?: string | undefined;
  /** The request as a handler gets it, where that makes a difference: with defaults, and types of formats. */
  readonly received?: RequestTypes;
  /** The responses as a handler returns them, where that makes a difference. */
  readonly returned?: object;
}

/** A request that has passed authentication and validation, its values as the contract types them. */
export type HandlerRequest<Op extends OperationTypes, Principal> = RequestValues<Received<Op>> &
  Caller<Op, Principal> &
  StreamSignal<Op>;

/** For an operation that answers with items, of which the last one may never come. */
type StreamSignal<Op extends OperationTypes> = [
  Extract<BodiesOf<Op['responses'][keyof Op['responses']]>, AsyncIterable<unknown>>,
] extends [never]
  ? unknown
  : {
      /** Aborts when the client has gone, or the service stops. */
      readonly signal: AbortSignal;
    };

type BodiesOf<Response> = Response extends { content: infer Content }
  ? Content[keyof Content]
  : never;

interface RequestValues<Request extends RequestTypes> {
  readonly params: ParametersOf<Request, 'path'>;
  readonly query: ParametersOf<Request, 'query'>;
  /** By the names that the contract gives them. */
  readonly headers: ParametersOf<Request, 'header'>;
  readonly cookies: ParametersOf<Request, 'cookie'>;
  /** A stream where it is neither JSON, text nor a form; its items where the contract has their schema. */
  readonly body: BodyOf<Request>;
}

type Received<Op extends OperationTypes> = Op extends {
  readonly received: infer Request extends RequestTypes;
}
  ? Request
  : Op;

/** No principal where the operation is public (`security: []`); maybe undefined where `{}` is an alternative. */
type Caller<Op extends OperationTypes, Principal> = Op extends {
  readonly security: infer Schemes;
}
  ? [Schemes] extends [never]
    ? unknown
    : KnownCaller<
        undefined extends Schemes ? Principal | undefined : Principal,
        Extract<Schemes, string>
      >
  : KnownCaller<Principal, string>;

interface KnownCaller<Principal, Scheme extends string> {
  /** Who the satisfied security scheme says is calling; the first scheme, where several are required. */
  readonly principal: Principal;
  /** The principal of each satisfied scheme, by the scheme's name in the contract. */
  readonly principals: Readonly<Partial<Record<Scheme, Principal>>>;
}

/** One of the responses that the contract declares for the operation: status, headers and body. */
export type HandlerResult<Op extends OperationTypes> = ResultOf<Returned<Op>>;

type Returned<Op extends OperationTypes> = Op extends { readonly returned: infer Responses }
  ? Responses
  : Op['responses'];

type ResultOf<Responses> = {
  [Key in keyof Responses]: OneObject<
    { readonly status: StatusOf<Key, keyof Responses> } & HeadersOf<Responses[Key]> &
      ContentOf<Responses[Key]>
  >;
}[keyof Responses];

/** Answers one operation. What it throws is a fault, unless it is an {@link ApiError}. */
export type OperationHandler<Op extends OperationTypes, Principal> = (
  request: HandlerRequest<Op, Principal>,
) => HandlerResult<Op> | Promise<HandlerResult<Op>>;

/** Exactly one handler for each operation of the contract that can be served, by its operationId. */
export type OperationHandlers<Operations, Principal> = {
  readonly [
    Id in keyof Operations as Operations[Id] extends { readonly unsupported: true } ? never : Id
  ]: Operations[Id] extends OperationTypes ? OperationHandler<Operations[Id], Principal> : never;
};

/**
 * The statuses of a declared response (OpenAPI 3.1 §4.8.16): its own; of a range such as `4XX`, and
 * of `default`, those that no other response covers.
 */
type StatusOf<Key, Declared> = Key extends number
  ? Key
  : Key extends 'default'
    ? Exclude<StatusIn<2 | 3 | 4 | 5>, Declared | StatusIn<ClassOf<Declared>>>
    : Exclude<StatusIn<ClassOf<Key>>, Declared>;

type ClassOf<Key> = Key extends `${infer Class extends number}XX` ? Class : never;
type StatusIn<Class extends number> = NumberIn<`${Class}${Digit}${Digit}`>;
type NumberIn<Text> = Text extends `${infer Value extends number}` ? Value : never;
type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

type ParametersOf<Request extends RequestTypes, In extends keyof RequestTypes['parameters']> =
  Request['parameters'] extends Readonly<Record<In, infer Parameters>>
    ? Parameters
    : Partial<Exclude<Request['parameters'][In], undefined>>;

type BodyOf<Request extends RequestTypes> = Request extends { requestBody: infer Body }
  ? ValueOf<Body>
  : Request extends { requestBody?: infer Body }
    ? ValueOf<Exclude<Body, undefined>> | undefined
    : undefined;

/** The declared headers by their declared names, required ones required, and HTTP's general headers. */
type HeadersOf<Response> = Response extends { headers: infer Headers }
  ? [RequiredKeys<KnownKeys<Headers>>] extends [never]
    ? { readonly headers?: OneObject<Readonly<KnownKeys<Headers>> & GeneralHeaders> }
    : { readonly headers: OneObject<Readonly<KnownKeys<Headers>> & GeneralHeaders> }
  : { readonly headers?: GeneralHeaders };

/** Without the `[name: string]: unknown` that the generator adds to every set of headers. */
type KnownKeys<T> = { [Key in keyof T as string extends Key ? never : Key]: T[Key] };

type RequiredKeys<T> = { [Key in keyof T]-?: undefined extends T[Key] ? never : Key }[keyof T];

/** Each intersection as a single object type, about which the compiler's messages are shorter. */
type OneObject<T> = T extends unknown ? { [Key in keyof T]: T[Key] } : never;
