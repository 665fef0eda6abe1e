import type { Readable } from 'node:stream';

/** A request's body as its handler gets it, of whichever media type it came. */
export type ValueOf<Body> = Body extends { content: infer Content }
  ? { [MediaType in keyof Content]: RequestValue<MediaType, Content[MediaType]> }[keyof Content]
  : undefined;

type RequestValue<MediaType, Value> =
  IsItems<Value> extends true
    ? Value
    : MediaType extends JsonMediaType | FormMediaType
      ? Value
      : MediaType extends TextMediaType
        ? string
        : MediaType extends '*/*'
          ? Value | string | Readable
          : MediaType extends 'application/*'
            ? Value | Readable
            : Readable;

type ResponseValue<MediaType, Value> =
  IsItems<Value> extends true
    ? Value
    : MediaType extends JsonMediaType
      ? Value
      : MediaType extends TextMediaType
        ? string
        : string | Uint8Array | Readable;

/** Whether a body is items that come one by one; anything that extends it is no JSON. */
type IsItems<Value> = [Value] extends [never]
  ? false
  : [Value] extends [AsyncIterable<unknown>]
    ? true
    : false;

type JsonMediaType = `${string}/json${string}` | `${string}+json${string}`;
type TextMediaType = `text/${string}`;
type FormMediaType = `multipart/form-data${string}` | `application/x-www-form-urlencoded${string}`;

/** The content type may be left out where the body tells which it is, or where any will do. */
export type ContentOf<Response> = Response extends { content: infer Content }
  ? [Content] extends [never]
    ? { readonly body?: undefined }
    : {
        [MediaType in keyof Content]: MediaType extends `${string}*${string}`
          ? RangeContent<MediaType, Content[MediaType]>
          : {
              readonly contentType?: MediaType;
              readonly body: ResponseValue<MediaType, Content[MediaType]>;
            };
      }[keyof Content]
  : { readonly body?: undefined };

/** A range is JSON unless the handler says which other type of it a body has. */
type RangeContent<Range extends string, Value> = Range extends '*/*' | 'application/*'
  ? | {
        readonly contentType?: 'application/json' | `application/${string}+json`;
        readonly body: Value;
      }
    | { readonly contentType: TypeIn<Range>; readonly body: string | Uint8Array | Readable }
  : Range extends 'text/*'
    ? { readonly contentType?: TypeIn<Range>; readonly body: string }
    : { readonly contentType: TypeIn<Range>; readonly body: ResponseValue<Range, Value> };

type TypeIn<Range extends string> = Range extends `${infer Before}*${infer After}`
  ? `${Before}${string}${TypeIn<After>}`
  : Range;
