import type { Field } from '../../../operation/operation.js';
import { typesOf } from '../../../schema/types.js';
import type { Located } from '../change/place.js';

type Notation = Pick<Field, 'mediaType' | 'style' | 'explode' | 'schema'>;
type Shape = 'scalar' | 'array' | 'object';

/**
 * How the way has changed in which a value is written, as far as the values that both schemas admit
 * show it (OpenAPI 3.1 §4.8.12.2): that of a string, say, is the same exploded or not.
 */
export function changedNotation(
  old: Located<Notation>,
  now: Located<Notation>,
): string | undefined {
  const after = shapesOf(now);
  const isChanged = [...shapesOf(old)].some(
    (shape) => after.has(shape) && written(shape, old.value) !== written(shape, now.value),
  );
  return isChanged ? `${nameOf(old.value)} -> ${nameOf(now.value)}` : undefined;
}

function shapesOf({ document, value: { schema } }: Located<Notation>): ReadonlySet<Shape> {
  const types = typesOf(document, schema);
  if (types === undefined) return new Set<Shape>(['scalar', 'array', 'object']);
  return new Set(
    [...types].map((type) => (type === 'array' || type === 'object' ? type : 'scalar')),
  );
}

/** The same text for the same notation of every value of this shape. */
function written(shape: Shape, { mediaType, style, explode }: Notation): string {
  if (mediaType !== undefined) return mediaType;
  switch (shape) {
    case 'scalar':
      return ['label', 'matrix', 'cookie'].includes(style) ? style : 'plain';
    case 'array':
      if (style === 'simple') return style;
      return explode && style.endsWith('Delimited') ? 'form exploded' : text(style, explode);
    case 'object':
      return style === 'deepObject' ? style : text(style, explode);
  }
}

function text(style: string, explode: boolean): string {
  return explode ? `${style} exploded` : style;
}

function nameOf({ mediaType, style, explode }: Notation): string {
  return mediaType ?? `style ${style}, ${explode ? '' : 'not '}exploded`;
}
