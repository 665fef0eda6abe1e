import { readFileSync } from 'node:fs';
import { parseExact } from '../document.js';
import { nameOperations } from '../operation-name.js';
import { toJsonSchemas, type Side } from './dialect.js';
import { listOf, membersOf, type Members } from './members.js';
import { createReader } from './object-reader.js';
import type { Operation } from './operation.js';

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
  return readContract(parseExact(readFileSync(path, 'utf8')) as Members);
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace', 'query'];

function readContract(root: Members): Contract {
  const sides = {
    request: toJsonSchemas(root, 'request'),
    response: toJsonSchemas(root, 'response'),
  };
  const at = (side: Side) => createReader(sides[side]);
  const operations = Object.entries(membersOf(root.paths)).flatMap(([path]) => {
    const request = at('request').of(membersOf(sides.request.paths)[path]);
    const response = at('response').of(membersOf(sides.response.paths)[path]);
    const answering = methodsOf(response);
    const pathMethods = [...answering.keys(), ...(answering.has('GET') ? ['HEAD'] : []), 'OPTIONS'];
    return [...methodsOf(request)].map(([method, place]) => {
      const operation = at('request').of(place);
      const parameters = [...listOf(operation.parameters), ...listOf(request.parameters)];
      return {
        operationId: operation.operationId,
        method,
        path,
        pathMethods: [...new Set(pathMethods)],
        parameters: at('request').parameters(parameters),
        querystring: at('request').querystring(parameters),
        body: at('request').body(operation.requestBody),
        responses: at('response').responses(at('response').of(answering.get(method)).responses),
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

/** The operations of a path, by their methods (OpenAPI 3.2.0 §4.9.1). */
function methodsOf(pathItem: Members): Map<string, unknown> {
  const named = METHODS.filter((method) => method in pathItem);
  return new Map([
    ...named.map((method): [string, unknown] => [method.toUpperCase(), pathItem[method]]),
    ...Object.entries(membersOf(pathItem.additionalOperations)),
  ]);
}
