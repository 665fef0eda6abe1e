import type { HeaderObject } from '../../../document/document.js';
import { pointer } from '../../../json/pointer.js';
import { schemaOf } from '../../../operation/object-schema.js';
import type { Direction } from '../../../schema/direction.js';
import type { Effect } from '../change/change.js';
import { pairByKey } from '../change/pair-by-key.js';
import { deprecated, innerPart, type Part } from '../change/part.js';
import type { Located } from '../change/place.js';
import type { DiffSchemas } from '../schema/diff-schemas.js';
import { changedNotation } from './notation.js';

type Header = HeaderObject & { readonly deprecated?: boolean };

const REASONS = {
  request: {
    added: 'clients need not send it',
    demanded: 'requests without it are refused',
    spared: 'every request that was valid still is',
    removed: 'what clients send there is passed over',
  },
  response: {
    added: 'clients pass over it',
    demanded: 'clients that read it always find it',
    spared: 'clients that read it may find nothing',
    removed: 'clients that read it find nothing',
  },
};

/** The headers of a response, or those of a part of a form. */
export function diffHeaders(
  direction: Direction,
  outer: Part,
  old: Located<Readonly<Record<string, HeaderObject>>>,
  now: Located<Readonly<Record<string, HeaderObject>>>,
  diffSchemas: DiffSchemas,
): Effect[] {
  const why = REASONS[direction];
  return pairByKey(byName(old), byName(now)).flatMap(({ key, was, is }): Effect[] => {
    const [oldIn, newIn] = [
      { document: old.document, value: was?.header },
      { document: now.document, value: is?.header },
    ];
    const part = innerPart(
      outer,
      pointer(['headers', is?.name ?? was?.name ?? key]),
      `${outer.location} header ${key}`,
      oldIn,
      newIn,
    );
    const effect = (breaks: boolean, what: string, why: string): Effect[] => [
      { ...part, direction, breaks, what, why },
    ];
    if (was === undefined) {
      const breaks = direction === 'request' && is?.header.required === true;
      return effect(breaks, 'added', breaks ? why.demanded : why.added);
    }
    if (is === undefined) return effect(direction === 'response', 'removed', why.removed);
    const notation = changedNotation(notationOf(old, was.header), notationOf(now, is.header));
    return [
      ...diffDemand(direction, part, was.header, is.header),
      ...(is.header.deprecated === true && was.header.deprecated !== true
        ? [deprecated(part)]
        : []),
      ...(notation === undefined ? [] : effect(true, notation, 'its value is written another way')),
      ...diffSchemas(
        direction,
        part,
        { document: old.document, value: schemaOf(was.header) },
        { document: now.document, value: schemaOf(is.header) },
      ),
    ];
  });
}

function diffDemand(direction: Direction, part: Part, was: Header, is: Header): Effect[] {
  const isDemanded = is.required === true;
  if ((was.required === true) === isDemanded) return [];
  const { demanded, spared } = REASONS[direction];
  return isDemanded
    ? [
        {
          ...part,
          direction,
          breaks: direction === 'request',
          what: 'made required',
          why: demanded,
        },
      ]
    : [
        {
          ...part,
          direction,
          breaks: direction === 'response',
          what: 'made optional',
          why: spared,
        },
      ];
}

/** By lower-case name (RFC 9110 §5.1), without the one that OpenAPI says elsewhere (§4.8.17). */
function byName({ document, value }: Located<Readonly<Record<string, HeaderObject>>>) {
  return new Map(
    Object.entries(value)
      .map(([name, header]): [string, { name: string; header: Header }] => [
        name.toLowerCase(),
        { name, header: document.resolve(header) },
      ])
      .filter(([name]) => name !== 'content-type'),
  );
}

function notationOf({ document }: Located, header: HeaderObject) {
  const [mediaType] = Object.keys(header.content ?? {});
  const value = { mediaType, style: 'simple', explode: header.explode === true };
  return { document, value: { ...value, schema: schemaOf(header) } };
}
