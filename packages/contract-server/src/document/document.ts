import { createHash } from 'node:crypto';
import { stepsOfFragment } from '../json/pointer.js';
import { ContractError } from './contract-error.js';
import type { TextFormat, TextFormats } from './text-format.js';

/** A JSON Schema, or a boolean, as OpenAPI 3.1 allows. */
export type Schema = Readonly<Record<string, unknown>>;

export interface MediaTypeObject {
  readonly schema?: Schema;
  /** Of each item of a sequential media type (OpenAPI 3.2.0 §4.14.1). */
  readonly itemSchema?: Schema;
  /** The same in a document of OpenAPI 3.0 or 3.1. */
  readonly 'x-item-schema'?: Schema;
  /** By the names of a form's parts. */
  readonly encoding?: Readonly<Record<string, EncodingObject>>;
  /** The largest request body, where it isn't that of the service; ours. */
  readonly 'x-max-body-bytes'?: unknown;
  /** `spool` has every part of a form judged before its handler is called; ours. */
  readonly 'x-form-files'?: unknown;
}

/** How a part of a form is written (OpenAPI 3.1 §4.8.15). */
export interface EncodingObject {
  /** Media types and ranges, with commas between. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, HeaderObject>>;
  readonly style?: string;
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
}

export interface HeaderObject {
  readonly required?: boolean;
  readonly explode?: boolean;
  readonly schema?: Schema;
  readonly content?: Readonly<Record<string, MediaTypeObject>>;
}

export interface ResponseObject {
  readonly headers?: Readonly<Record<string, HeaderObject>>;
  readonly content?: Readonly<Record<string, MediaTypeObject>>;
}

/** Scheme name to scopes; all of its schemes must be satisfied (OpenAPI 3.1 §4.8.30). */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

export interface ParameterObject {
  readonly name: string;
  /** `querystring` since OpenAPI 3.2. */
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'querystring';
  readonly required?: boolean;
  readonly allowEmptyValue?: boolean;
  readonly allowReserved?: boolean;
  readonly style?: string;
  readonly explode?: boolean;
  readonly schema?: Schema;
  readonly content?: Readonly<Record<string, MediaTypeObject>>;
}

export interface OperationObject {
  readonly operationId?: string;
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, MediaTypeObject>>;
  };
  readonly responses?: Readonly<Record<string, ResponseObject>>;
  readonly security?: readonly SecurityRequirement[];
}

/** An OpenAPI document. Any of its objects may be a Reference Object: see {@link ContractDocument.resolve}. */
export interface OpenApiObject {
  readonly openapi: string;
  readonly info: unknown;
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly security?: readonly SecurityRequirement[];
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Answers to requests that reach no operation; ours, since OpenAPI describes operations only. */
  readonly 'x-unmatched-responses'?: Readonly<Record<string, ResponseObject>>;
}

/** Finds where in the contract's files a JSON Pointer leads: `file:line:column `, or nothing where unknown. */
export type Locate = (pointer: string) => Promise<string>;

/** A contract that has been read and found to be an OpenAPI document. */
export class ContractDocument {
  constructor(
    readonly root: OpenApiObject,
    readonly locate: Locate = () => Promise.resolve(''),
    /** The only file that it was read from; undefined where there are several, or none. */
    readonly file?: string,
    readonly formats: TextFormats = {},
  ) {}

  /** The same contract, for a service that knows these formats. */
  withFormats(formats: TextFormats): ContractDocument {
    return new ContractDocument(this.root, this.locate, this.file, formats);
  }

  /** What the service knows of a format; undefined where only the engine may know it. */
  formatOf(name: unknown): TextFormat | undefined {
    const isKnown = typeof name === 'string' && Object.hasOwn(this.formats, name);
    return isKnown ? this.formats[name] : undefined;
  }

  /** The same for documents that say the same, in hexadecimal. */
  get digest(): string {
    const text = JSON.stringify(this.root, (_name, value: unknown) =>
      typeof value === 'bigint' ? `${value}n` : value,
    );
    return createHash('sha256').update(text).digest('hex');
  }

  /** Whether schemas are those of OpenAPI 3.0, a dialect of their own. */
  get isOpenApi30(): boolean {
    return this.root.openapi.startsWith('3.0.');
  }

  /**
   * The object itself, or what its `$ref` points at.
   * @throws ContractError where the reference leads nowhere
   */
  resolve<Value>(value: Value): Value {
    let target: unknown = value;
    for (let hops = 0; isReference(target); hops++) {
      if (hops === 100) throw new ContractError([`${target.$ref}: the reference leads to itself`]);
      target = this.lookUp(target.$ref);
    }
    return target as Value; // the document is valid, so a reference leads to an object of its own kind
  }

  /**
   * What a reference points at, which may be another reference.
   * @throws ContractError where it leads nowhere
   */
  lookUp(ref: string): unknown {
    if (!ref.startsWith('#/') && ref !== '#') {
      throw new ContractError([`${ref}: only references within the document are supported`]);
    }
    const target = this.find(ref);
    if (target === undefined) throw new ContractError([`${ref}: the reference leads nowhere`]);
    return target;
  }

  /** The same; undefined where the reference leads nowhere. */
  find(ref: string): unknown {
    let target: unknown = this.root;
    for (const name of stepsOfFragment(ref)) {
      const isMember = typeof target === 'object' && target !== null && Object.hasOwn(target, name);
      target = isMember ? Reflect.get(Object(target), name) : undefined;
    }
    return ref.startsWith('#') ? target : undefined;
  }

  /** OpenAPI 3.0.3 §4.7.23: in a Reference Object all but its `$ref` is ignored. */
  hasOnlyReference(schema: Readonly<Record<string, unknown>>): boolean {
    return this.isOpenApi30 && isReference(schema);
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isReference(value: unknown): value is { readonly $ref: string } {
  return isObject(value) && typeof value.$ref === 'string';
}
