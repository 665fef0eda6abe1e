import type { ContractDocument } from '../../index.js';
import { isObject } from '../../document/document.js';
import type { Direction } from '../../schema/direction.js';
import type { OperationChange } from './schema/change.js';
import { isSameStructure } from './schema/same-structure.js';

/** The `encoding` of a body's media type, in its contract. */
interface EncodingsIn {
  readonly document: ContractDocument;
  readonly value: unknown;
}

/** How the fields of a form are written (OpenAPI 3.1 §4.8.15). */
export function diffEncodings(
  direction: Direction,
  location: string,
  old: EncodingsIn,
  now: EncodingsIn,
): OperationChange[] {
  const before = isObject(old.value) ? old.value : {};
  const after = isObject(now.value) ? now.value : {};
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const { contentType: was, ...wasWritten } = encodingOf(before[name]);
    const { contentType: is, ...isWritten } = encodingOf(after[name]);
    const place = `${location} /${name}`;
    const isSame = isSameStructure(
      { document: old.document, value: wasWritten },
      { document: now.document, value: isWritten },
    );
    const why = 'the parts of the body are written another way';
    return [
      ...(isSame ? [] : [{ breaks: true, location: place, what: 'encoding changed', why }]),
      ...diffContentTypes(direction, place, was, is),
    ];
  });
}

function encodingOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** Without any, a part may be of every media type that its schema has a form for. */
function diffContentTypes(
  direction: Direction,
  location: string,
  old: unknown,
  now: unknown,
): OperationChange[] {
  const was = typesOf(old);
  const is = typesOf(now);
  const removed = is !== undefined && (was ?? ['any']).some((type) => !is.includes(type));
  const added = was !== undefined && (is ?? ['any']).some((type) => !was.includes(type));
  if (!removed && !added) return [];
  const shown = (types: readonly string[] | undefined): string => types?.join(', ') ?? 'any';
  const what = `content type ${shown(was)} -> ${shown(is)}`;
  if (direction === 'request') {
    const why = removed
      ? 'parts that were taken are refused'
      : 'every part that was taken still is';
    return [{ breaks: removed, location, what, why }];
  }
  const why = added
    ? 'clients may get what they were not told of'
    : 'clients know all that they get';
  return [{ breaks: added, location, what, why }];
}

function typesOf(contentType: unknown): string[] | undefined {
  if (typeof contentType !== 'string') return undefined;
  return contentType.split(',').map((type) => type.trim().toLowerCase());
}

/** The largest body, where the contract says one. */
export function diffLimits(location: string, old: unknown, now: unknown): OperationChange[] {
  const [was, is] = [Number(old ?? NaN), Number(now ?? NaN)];
  if (Object.is(was, is)) return [];
  // What the service takes by itself isn't said here, so it may be more or less.
  const breaks = !(is > was);
  const shown = (bytes: number): string => (Number.isNaN(bytes) ? 'unsaid' : String(bytes));
  const what = `largest body ${shown(was)} -> ${shown(is)}`;
  const why = breaks ? 'larger bodies may be refused' : 'every body that was taken still is';
  return [{ breaks, location, what, why }];
}
