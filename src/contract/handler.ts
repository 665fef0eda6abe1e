/** What openapi-typescript generates for one operation. */
export interface OperationTypes {
  readonly requestBody?: unknown;
  readonly responses: object;
}

/** A request that has passed authentication and validation. */
export interface HandlerRequest<Op extends OperationTypes, Principal> {
  readonly body: BodyOf<Op['requestBody']>;
  readonly principal: Principal;
}

/** One of the responses that the contract declares for the operation: status, headers and body. */
export type HandlerResponse<Op extends OperationTypes> = {
  [Status in keyof Op['responses'] & number]: { readonly status: Status } & HeadersOf<
    Op['responses'][Status]
  > &
    ContentOf<Op['responses'][Status]>;
}[keyof Op['responses'] & number];

/** Answers one operation. What it throws is a fault, unless it is an {@link ApiError}. */
export type OperationHandler<Op extends OperationTypes, Principal> = (
  request: HandlerRequest<Op, Principal>,
) => HandlerResponse<Op> | Promise<HandlerResponse<Op>>;

/** Exactly one handler for each operationId of the contract. */
export type OperationHandlers<Operations, Principal> = {
  readonly [Id in keyof Operations]: Operations[Id] extends OperationTypes
    ? OperationHandler<Operations[Id], Principal>
    : never;
};

type BodyOf<RequestBody> = RequestBody extends { content: infer Content }
  ? Content[keyof Content]
  : undefined extends RequestBody
    ? BodyOfOptional<Exclude<RequestBody, undefined>>
    : undefined;

type BodyOfOptional<RequestBody> = RequestBody extends { content: infer Content }
  ? Content[keyof Content] | undefined
  : undefined;

/** The content type may be left out where there is only one. */
type ContentOf<Response> = Response extends { content: infer Content }
  ? [Content] extends [never]
    ? { readonly body?: undefined }
    : {
        [MediaType in keyof Content]: {
          readonly contentType?: MediaType;
          readonly body: Content[MediaType];
        };
      }[keyof Content]
  : { readonly body?: undefined };

/** Declared headers by their declared names; required ones must be there. */
type HeadersOf<Response> = Response extends { headers: infer Headers }
  ? [RequiredKeys<KnownKeys<Headers>>] extends [never]
    ? { readonly headers?: Readonly<KnownKeys<Headers>> }
    : { readonly headers: Readonly<KnownKeys<Headers>> }
  : { readonly headers?: undefined };

/** Without the `[name: string]: unknown` that the generator adds to every set of headers. */
type KnownKeys<T> = { [Key in keyof T as string extends Key ? never : Key]: T[Key] };

type RequiredKeys<T> = { [Key in keyof T]-?: undefined extends T[Key] ? never : Key }[keyof T];
