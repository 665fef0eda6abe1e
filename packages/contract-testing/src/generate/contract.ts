import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { nameOperations } from '../operation-name.js';
import { toJsonSchemas, type Side } from './dialect.js';
import { listOf, lookUp, membersOf, type Members } from './members.js';

/** A JSON Schema, draft 2020-12. */
export type Schema = Members | boolean;

export type Location = 'path' | 'query' | 'header' | 'cookie';

export interface Parameter {
  readonly name: string;
  readonly in: Location;
  readonly required: boolean;
  readonly style: string;
  readonly explode: boolean;
  readonly schema: Schema;
  /** Of a parameter with `content`: it is written as JSON. */
  readonly isJson: boolean;
}

export interface DeclaredResponse {
  readonly headers: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly schema: Schema;
  }[];
  readonly content: ReadonlyMap<string, Schema>;
}

export interface DeclaredBody {
  readonly required: boolean;
  readonly content: ReadonlyMap<string, Schema>;
  /** By media type, and then by the names of a form's fields (OpenAPI 3.1 §4.8.15). */
  readonly encodings: ReadonlyMap<string, Members>;
}

/** An operation as the contract says it, everything that applies to it gathered. */
export interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  /** What the path's other operations make of it: the methods it has, HEAD and OPTIONS too. */
  readonly pathMethods: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body: DeclaredBody | undefined;
  readonly responses: ReadonlyMap<string, DeclaredResponse>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

export interface SecurityScheme {
  readonly type: string;
  readonly scheme: string;
  readonly in: string;
  readonly name: string;
}

/** A contract, read by the tests' own means: none of the service's code is in here. */
export interface Contract {
  readonly root: Members;
  readonly operations: readonly Operation[];
  readonly securitySchemes: ReadonlyMap<string, SecurityScheme>;
}

export function loadContract(path: string): Contract {
  return readContract(parse(readFileSync(path, 'utf8')) as Members);
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'];
const STYLES = { path: 'simple', query: 'form', header: 'simple', cookie: 'form' } as const;

export function readContract(root: Members): Contract {
  const sides = {
    request: toJsonSchemas(root, 'request'),
    response: toJsonSchemas(root, 'response'),
  };
  const at = (side: Side) => createReader(sides[side]);
  const operations = Object.entries(membersOf(root.paths)).flatMap(([path]) => {
    const request = at('request').of(membersOf(sides.request.paths)[path]);
    const response = at('response').of(membersOf(sides.response.paths)[path]);
    const methods = METHODS.filter((method) => method in request);
    const pathMethods = methods.map((method) => method.toUpperCase());
    if (methods.includes('get')) pathMethods.push('HEAD');
    return methods.map((method) => {
      const operation = at('request').of(request[method]);
      return {
        operationId: operation.operationId,
        method: method.toUpperCase(),
        path,
        pathMethods: [...new Set([...pathMethods, 'OPTIONS'])],
        parameters: at('request').parameters([
          ...listOf(operation.parameters),
          ...listOf(request.parameters),
        ]),
        body: at('request').body(operation.requestBody),
        responses: at('response').responses(at('response').of(response[method]).responses),
        security: (operation.security ?? root.security ?? []) as Operation['security'],
      };
    });
  });
  const schemes = membersOf(membersOf(root.components).securitySchemes);
  return {
    root,
    operations: nameOperations(operations, ({ path }) => path),
    securitySchemes: new Map(
      Object.entries(schemes).map(([name, scheme]) => [
        name,
        createReader(root).of(scheme) as unknown as SecurityScheme,
      ]),
    ),
  };
}

function createReader(root: Members) {
  const of = (value: unknown): Members => {
    const object = membersOf(value);
    return typeof object.$ref === 'string' ? of(lookUp(root, object.$ref)) : object;
  };
  const contentOf = (value: unknown): Map<string, Schema> =>
    new Map(
      Object.entries(membersOf(value)).map(([mediaType, media]) => [
        mediaType,
        (of(media).schema ?? true) as Schema,
      ]),
    );
  return {
    of,
    body(value: unknown): Operation['body'] {
      if (value === undefined) return undefined;
      const body = of(value);
      const encodings = Object.entries(membersOf(body.content)).map(
        ([mediaType, media]) => [mediaType, membersOf(of(media).encoding)] as const,
      );
      return {
        required: body.required === true,
        content: contentOf(body.content),
        encodings: new Map(encodings),
      };
    },
    responses(value: unknown): Map<string, DeclaredResponse> {
      return new Map(
        Object.entries(membersOf(value)).map(([status, unresolved]) => {
          const response = of(unresolved);
          const headers = Object.entries(membersOf(response.headers)).map(([name, header]) => ({
            name,
            required: of(header).required === true,
            schema: (of(header).schema ?? true) as Schema,
          }));
          return [status, { headers, content: contentOf(response.content) }];
        }),
      );
    },
    parameters(values: readonly unknown[]): Parameter[] {
      const found = new Map<string, Parameter>();
      for (const parameter of values.map(of)) {
        const location = parameter.in as Location;
        const style = (parameter.style ?? STYLES[location]) as string;
        const [content] = [...contentOf(parameter.content).values()];
        const key = `${location} ${String(parameter.name)}`;
        if (found.has(key)) continue;
        found.set(key, {
          name: String(parameter.name),
          in: location,
          required: parameter.required === true,
          style,
          explode: (parameter.explode ?? style === 'form') as boolean,
          schema: content ?? (parameter.schema as Schema | undefined) ?? true,
          isJson: content !== undefined,
        });
      }
      return [...found.values()];
    },
  };
}
