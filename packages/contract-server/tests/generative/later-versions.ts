import type { Members } from 'contract-testing/generate';

/** The same contract as each later version of OpenAPI, up to 3.2, says it. */
export function laterVersions(root: Members): Members[] {
  const version = String(root.openapi);
  if (version.startsWith('3.2.')) return [];
  if (version.startsWith('3.1.')) return [{ ...mapObjects(root, to32), openapi: '3.2.0' }];
  const in31 = { ...mapObjects(root, to31), openapi: '3.1.0' };
  return [in31, ...laterVersions(in31)];
}

/** OpenAPI 3.0.3 §4.7.24: what stands beside a reference is ignored, null and open bounds are flags. */
function to31({ nullable, ...object }: Members): Members {
  if (typeof object.$ref === 'string') return { $ref: object.$ref };
  const { type } = object;
  return openBound(
    'minimum',
    'exclusiveMinimum',
  )(
    openBound(
      'maximum',
      'exclusiveMaximum',
    )(nullable === true && typeof type === 'string' ? { ...object, type: [type, 'null'] } : object),
  );
}

function openBound(bound: string, exclusive: string): (object: Members) => Members {
  return ({ [exclusive]: isOpen, ...object }) => {
    if (typeof isOpen !== 'boolean') {
      return isOpen === undefined ? object : { ...object, [exclusive]: isOpen };
    }
    const { [bound]: value, ...others } = object;
    return isOpen ? { ...others, [exclusive]: value } : object;
  };
}

/** OpenAPI 3.2.0 §4.14.1 has a word for the schema of items. */
function to32({ 'x-item-schema': itemSchema, ...object }: Members): Members {
  return itemSchema === undefined ? object : { ...object, itemSchema };
}

/** Every object of a document mapped, the innermost first. */
function mapObjects(document: Members, map: (object: Members) => Members): Members {
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner);
    return typeof value === 'object' && value !== null
      ? mapObjects(value as Members, map) // of a document, where objects have nothing but members
      : value;
  };
  return map(
    Object.fromEntries(Object.entries(document).map(([name, value]) => [name, inner(value)])),
  );
}
