import type { WrittenParameter } from '../parameter-text.js';
import type { BodyKind } from './media-type.js';
import type { Members } from './members.js';

/** A JSON Schema, draft 2020-12. */
export type Schema = Members | boolean;

export interface Parameter extends WrittenParameter {
  readonly required: boolean;
  readonly schema: Schema;
}

export interface DeclaredResponse {
  readonly headers: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly schema: Schema;
  }[];
  readonly content: ReadonlyMap<string, DeclaredMedia>;
}

/** What is declared of a body of one media type. */
export interface DeclaredMedia {
  readonly kind: BodyKind;
  /** Of items, that of the list of them all. */
  readonly schema: Schema;
  /** By the names of a form's fields (OpenAPI 3.1 §4.8.15). */
  readonly encoding: Members;
}

export interface DeclaredBody {
  readonly required: boolean;
  readonly content: ReadonlyMap<string, DeclaredMedia>;
}

/** The parameter that is the whole query (OpenAPI 3.2.0 §4.12.1). */
export interface DeclaredQuery extends DeclaredBody {
  readonly name: string;
}

/** An operation as the contract says it, everything that applies to it gathered. */
export interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  /** What the path's other operations make of it: the methods it has, HEAD and OPTIONS too. */
  readonly pathMethods: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly querystring: DeclaredQuery | undefined;
  readonly body: DeclaredBody | undefined;
  readonly responses: ReadonlyMap<string, DeclaredResponse>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}
