import { ContractError } from './contract-error.js';
import { isObject, isReference } from './document.js';

const MEDIA_TYPE = /^#\/components\/mediaTypes\/([^/]+)$/;

/**
 * A document of OpenAPI 3.2 without what only 3.2 has for referring: a reference by the document's own
 * URI (§4.1.1 `$self`) leads to the same place in it, and a media type component (§4.7.1) stands
 * wherever something refers to it.
 * @throws ContractError where a media type component isn't there, or leads to itself
 */
export function spellOutReferences(
  root: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { $self, components } = root;
  const mediaTypes =
    isObject(components) && isObject(components.mediaTypes) ? components.mediaTypes : {};
  const own = typeof $self === 'string' ? `${$self}#` : undefined;
  const spell = (value: unknown, outer: readonly string[] = []): unknown => {
    if (Array.isArray(value)) return value.map((item) => spell(item, outer));
    if (!isObject(value)) return value;
    if (!isReference(value)) {
      const members = Object.entries(value).map(([name, member]) => [name, spell(member, outer)]);
      return Object.fromEntries(members);
    }
    const $ref =
      own !== undefined && value.$ref.startsWith(own)
        ? value.$ref.slice(own.length - 1)
        : value.$ref;
    const name = MEDIA_TYPE.exec($ref)?.[1];
    if (name === undefined) {
      const siblings = Object.entries(value).filter(([keyword]) => keyword !== '$ref');
      return {
        $ref,
        ...Object.fromEntries(siblings.map(([name, one]) => [name, spell(one, outer)])),
      };
    }
    if (outer.includes($ref)) throw new ContractError([`${$ref}: the reference leads to itself`]);
    if (!Object.hasOwn(mediaTypes, name))
      throw new ContractError([`${$ref}: the reference leads nowhere`]);
    return spell(mediaTypes[name], [...outer, $ref]);
  };
  return Object.fromEntries(Object.entries(root).map(([name, member]) => [name, spell(member)]));
}
