import type { ContractDocument } from '../../index.js';
import type { HeaderObject, ResponseObject } from '../../document/document.js';
import type { OperationChange } from './schema/change.js';
import type { DiffSchemas } from './schema-diff.js';

/** The headers of a response, in its contract. */
export interface HeadersIn {
  readonly document: ContractDocument;
  readonly headers: Readonly<Record<string, HeaderObject>>;
}

export function diffHeaders(
  responseLocation: string,
  old: HeadersIn,
  now: HeadersIn,
  diffSchemas: DiffSchemas,
): OperationChange[] {
  const before = byName(old);
  const after = byName(now);
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const was = before.get(name);
    const is = after.get(name);
    const location = `${responseLocation} header ${name}`;
    const change = (breaks: boolean, what: string, why: string) => [
      { breaks, location, what, why },
    ];
    if (was === undefined) return change(false, 'added', 'clients pass over it');
    if (is === undefined) return change(true, 'removed', 'clients that read it find nothing');
    const [wasRequired, isRequired] = [was.required === true, is.required === true];
    return [
      ...(wasRequired === isRequired
        ? []
        : isRequired
          ? change(false, 'made required', 'clients that read it always find it')
          : change(true, 'made optional', 'clients that read it may find nothing')),
      ...diffSchemas(
        'response',
        location,
        { document: old.document, schema: schemaOf(was) },
        { document: now.document, schema: schemaOf(is) },
      ),
    ];
  });
}

/** By lower-case name (RFC 9110 §5.1), without the one that OpenAPI says elsewhere (§4.8.17). */
function byName({ document, headers }: HeadersIn): Map<string, HeaderObject> {
  return new Map(
    Object.entries(headers)
      .map(([name, header]) => [name.toLowerCase(), document.resolve(header)] as const)
      .filter(([name]) => name !== 'content-type'),
  );
}

/** A header has a schema, or one media type that has (OpenAPI 3.1 §4.8.21). */
function schemaOf(header: HeaderObject & { readonly content?: ResponseObject['content'] }) {
  const [mediaType] = Object.values(header.content ?? {});
  return mediaType === undefined ? header.schema : mediaType.schema;
}
