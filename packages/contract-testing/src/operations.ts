import { nameOperations } from './operation-name.js';
import { child, children, type JsonObject, type Place } from './document.js';

/** The name under which the answers of `x-unmatched-responses` are judged and counted. */
export const UNMATCHED = 'unmatched';

export interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly pathTemplate: string;
  readonly parameters: readonly Place[];
  readonly requestBody: Place | undefined;
  /** By what they are declared for: a status, `4XX` or `default`. */
  readonly responses: ReadonlyMap<string, Place>;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

/**
 * The operations of a contract; one without an operationId of its own is named `GET /path`. The last one,
 * `unmatched`, has the responses of the root extension `x-unmatched-responses`: answers to no operation's
 * requests.
 */
export function listOperations(root: JsonObject): Operation[] {
  const top: Place = { pointer: '', value: root };
  const operations = children(root, top, 'paths').flatMap(([pathTemplate, item]) =>
    methodsOf(root, item).map(([method, place]) => {
      return {
        operationId: place.value.operationId,
        method,
        pathTemplate,
        parameters: parametersOf(root, item, place),
        requestBody: child(root, place, 'requestBody'),
        responses: new Map(children(root, place, 'responses')),
      };
    }),
  );
  const unmatched = {
    operationId: UNMATCHED,
    method: '',
    pathTemplate: '',
    parameters: [],
    requestBody: undefined,
    responses: new Map(children(root, top, 'x-unmatched-responses')),
  };
  return [...nameOperations(operations, ({ pathTemplate }) => pathTemplate), unmatched];
}

/** The operations of a path, by their methods (OpenAPI 3.2.0 §4.9.1). */
function methodsOf(root: JsonObject, item: Place): [string, Place][] {
  const named = METHODS.flatMap((method): [string, Place][] => {
    const place = child(root, item, method);
    return place === undefined ? [] : [[method.toUpperCase(), place]];
  });
  return [...named, ...children(root, item, 'additionalOperations')];
}

/** The operation's parameters, and those of its path that it doesn't declare anew (OpenAPI 3.1 §4.8.10). */
function parametersOf(root: JsonObject, item: Place, operation: Place): Place[] {
  const all = [item, operation].flatMap((place) => children(root, place, 'parameters'));
  return [
    ...new Map(
      all.map(([, place]) => [`${String(place.value.in)} ${String(place.value.name)}`, place]),
    ).values(),
  ];
}

/** An operation that a request is for, and the texts of its path's parameters. */
export interface Match {
  readonly operation: Operation;
  readonly path: Readonly<Record<string, string>>;
}

/** The operation that a method and a path name; concrete paths before templated ones (§4.8.8.1). */
export function matchOperation(
  operations: readonly Operation[],
  method: string,
  path: string,
): Match | undefined {
  const matches = operations
    .flatMap((operation): Match[] => {
      const names: string[] = [];
      const pattern = operation.pathTemplate.replace(
        /\{([^}]*)\}|[^{]+/g,
        (part, name?: string) => {
          if (name === undefined) return part.replace(/[.*+?^$()|[\]\\}]/g, '\\$&');
          names.push(name);
          return '([^/]+)';
        },
      );
      const texts = new RegExp(`^${pattern}$`).exec(path)?.slice(1);
      if (texts === undefined || operation.method === '') return [];
      return [
        {
          operation,
          path: Object.fromEntries(names.map((name, n) => [name, decoded(texts[n] ?? '')])),
        },
      ];
    })
    .sort((a, b) => Object.keys(a.path).length - Object.keys(b.path).length);
  const having = (wanted: string): Match | undefined =>
    matches.find(({ operation }) => operation.method === wanted);
  // HEAD is GET without the body (RFC 9110 §9.3.2).
  return having(method) ?? (method === 'HEAD' ? having('GET') : undefined);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What a status is declared as: itself, its range or `default` (§4.8.16); undefined where it isn't. */
export function declaredAs({ responses }: Operation, status: number): string | undefined {
  return [String(status), `${String(status).charAt(0)}XX`, 'default'].find((key) =>
    responses.has(key),
  );
}

/** The media type of a `content` that a header value fits best (§4.8.14): exact, then ranges. */
export function declaredMediaType(
  place: Place | undefined,
  contentType: string,
): string | undefined {
  const mediaType = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  const wanted = [mediaType, mediaType.replace(/\/.*/, '/*'), '*/*'];
  const declared = Object.keys(place?.value ?? {});
  return wanted
    .map((type) => declared.find((key) => key.split(';')[0]?.trim().toLowerCase() === type))
    .find((key) => key !== undefined);
}

/** Whether a media type is JSON, by its name or by its suffix (RFC 6839 §3.1). */
export function isJson(contentType: string): boolean {
  return /^application\/(?:[^;]+\+)?json *(?:;|$)/i.test(contentType);
}
