import { readFile } from 'node:fs/promises';
import { Validator } from '@seriousme/openapi-schema-validator';
import { parseDocument } from 'yaml';
import { ContractError } from './contract-error.js';

/** A JSON Schema, or a boolean, as OpenAPI 3.1 allows. */
export type Schema = Readonly<Record<string, unknown>>;

export interface MediaTypeObject {
  readonly schema?: Schema;
}

export interface HeaderObject {
  readonly required?: boolean;
  readonly schema?: Schema;
}

export interface ResponseObject {
  readonly headers?: Readonly<Record<string, HeaderObject>>;
  readonly content?: Readonly<Record<string, MediaTypeObject>>;
}

/** Scheme name to scopes; all of its schemes must be satisfied (OpenAPI 3.1 §4.8.30). */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

export interface ParameterObject {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly allowEmptyValue?: boolean;
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

/** A contract that has been read and found to be an OpenAPI document. */
export class ContractDocument {
  constructor(readonly root: OpenApiObject) {}

  /**
   * The object itself, or what its `$ref` points at.
   * @throws ContractError where the reference leads nowhere
   */
  resolve<Value>(value: Value): Value {
    let target: unknown = value;
    for (let hops = 0; isReference(target); hops++) {
      if (hops === 100) throw new ContractError([`${target.$ref}: the reference leads to itself`]);
      target = this.#lookUp(target.$ref);
    }
    return target as Value; // the document is valid, so a reference leads to an object of its own kind
  }

  #lookUp(ref: string): unknown {
    if (!ref.startsWith('#/')) {
      throw new ContractError([`${ref}: only references within the document are supported`]);
    }
    let target: unknown = this.root;
    for (const step of ref.slice(2).split('/')) {
      const name = decodeURIComponent(step).replace(/~1/g, '/').replace(/~0/g, '~');
      target = isObject(target) && Object.hasOwn(target, name) ? target[name] : undefined;
    }
    if (target === undefined) throw new ContractError([`${ref}: there is nothing there`]);
    return target;
  }
}

/** Compiles the schema of an OpenAPI version when it is first asked for. */
const openApiSchemas = new Validator();

/**
 * Reads a contract, YAML or JSON, and checks it against the schema of its OpenAPI version.
 * @throws ContractError with everything that is wrong with it
 */
export async function readContract(path: string): Promise<ContractDocument> {
  const yaml = parseDocument(await readFile(path, 'utf8'), { prettyErrors: true });
  if (yaml.errors.length > 0) throw new ContractError(yaml.errors.map((error) => error.message));
  return parseContract(yaml.toJS());
}

/** @throws ContractError with everything that is wrong with it */
export async function parseContract(value: unknown): Promise<ContractDocument> {
  const version = isObject(value) ? value.openapi : undefined;
  if (!isObject(value) || typeof version !== 'string' || !/^3\.[01]\.\d+$/.test(version)) {
    throw new ContractError([
      `/openapi: ${JSON.stringify(version)} is not supported; 3.0.x and 3.1.x are`,
    ]);
  }
  const { valid, errors } = await openApiSchemas.validate(structuredClone({ ...value }));
  if (!valid) throw new ContractError(describe(errors));
  return new ContractDocument(value as unknown as OpenApiObject); // the schema of OpenAPI has just said so
}

function describe(errors: unknown): string[] {
  if (!Array.isArray(errors)) return [String(errors)];
  return errors.map(
    (error: { instancePath: string; message?: string }) =>
      `${error.instancePath === '' ? 'the document' : error.instancePath}: ${error.message ?? 'is not valid'}`,
  );
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isReference(value: unknown): value is { readonly $ref: string } {
  return isObject(value) && typeof value.$ref === 'string';
}
