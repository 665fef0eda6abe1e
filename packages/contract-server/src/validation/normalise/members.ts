import { isObject, type ContractDocument, type Schema } from '../../document/document.js';
import type { Group, Rule, SchemaDraft, Side } from './rule.js';

export const NO_GROUP: Group = { hidden: new Set(), required: new Set() };

interface Mentioned {
  readonly required: ReadonlySet<string>;
  readonly defaulted: ReadonlySet<string>;
}

const NOTHING_MENTIONED: Mentioned = { required: new Set(), defaulted: new Set() };

const HIDING = { request: 'readOnly', response: 'writeOnly' } as const;

/** Finds what `$ref` and `allOf` say of an object's members; each schema is looked at once. */
export class MemberFinder {
  readonly #groups = new Map<Schema, Group>();
  readonly #mentioned = new Map<Schema, Mentioned>();
  readonly #hiding: 'readOnly' | 'writeOnly';

  constructor(
    readonly document: ContractDocument,
    readonly side: Side,
  ) {
    this.#hiding = HIDING[side];
  }

  groupOf(schema: Schema): Group {
    const known = this.#groups.get(schema);
    if (known !== undefined) return known;
    const group = { hidden: new Set<string>(), required: new Set<string>() };
    // Set before it is complete: a schema that is part of itself adds nothing to itself.
    this.#groups.set(schema, group);
    for (const part of this.#partsOf(schema)) addAll(group, this.groupOf(part));
    if (this.document.hasOnlyReference(schema)) return group;
    for (const [name, member] of Object.entries(
      isObject(schema.properties) ? schema.properties : {},
    )) {
      if (this.isHidden(member)) group.hidden.add(name);
    }
    if (Array.isArray(schema.required))
      schema.required.forEach((name) => group.required.add(String(name)));
    return group;
  }

  /**
   * OpenAPI 3.0.3 §4.7.24, relevant only for the definitions of properties: a readOnly member
   * should not be sent in a request, nor a writeOnly one in a response.
   */
  isHidden(member: unknown, seen: readonly unknown[] = []): boolean {
    if (!isObject(member) || seen.includes(member)) return false;
    if (!this.document.hasOnlyReference(member) && member[this.#hiding] === true) return true;
    return this.#partsOf(member).some((part) => this.isHidden(part, [...seen, member]));
  }

  /**
   * The names that the schema, or any other that judges the same value, requires, and those that it
   * has a default for.
   */
  mentionedBy(schema: unknown): Mentioned {
    if (!isObject(schema)) return NOTHING_MENTIONED;
    const known = this.#mentioned.get(schema);
    if (known !== undefined) return known;
    const mentioned = { required: new Set<string>(), defaulted: new Set<string>() };
    this.#mentioned.set(schema, mentioned);
    const { required, properties } = schema;
    if (Array.isArray(required)) required.forEach((name) => mentioned.required.add(String(name)));
    for (const [name, member] of Object.entries(isObject(properties) ? properties : {})) {
      if (this.defaultOf(member) !== undefined) mentioned.defaulted.add(name);
    }
    const branches = [schema.oneOf, schema.anyOf, schema.then, schema.else].flat();
    for (const part of [...this.#partsOf(schema), ...branches]) {
      const inner = this.mentionedBy(part);
      inner.required.forEach((name) => mentioned.required.add(name));
      inner.defaulted.forEach((name) => mentioned.defaulted.add(name));
    }
    return mentioned;
  }

  /** The first default that the schema, what it refers to, or a part of it has. */
  defaultOf(
    member: unknown,
    seen: readonly unknown[] = [],
  ): { value: unknown; schema: Schema } | undefined {
    if (!isObject(member) || seen.includes(member)) return undefined;
    if (!this.document.hasOnlyReference(member) && Object.hasOwn(member, 'default')) {
      return { value: member.default, schema: member };
    }
    for (const part of this.#partsOf(member)) {
      const found = this.defaultOf(part, [...seen, member]);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The types that a value may have, from the first schema that says; undefined where none does. */
  typesOf(member: unknown, seen: readonly unknown[] = []): readonly unknown[] | undefined {
    if (!isObject(member) || seen.includes(member)) return undefined;
    if (!this.document.hasOnlyReference(member) && member.type !== undefined) {
      const types: unknown[] = Array.isArray(member.type) ? member.type : [member.type];
      return this.document.isOpenApi30 && member.nullable === true ? [...types, 'null'] : types;
    }
    return this.#partsOf(member)
      .map((part) => this.typesOf(part, [...seen, member]))
      .find((types) => types !== undefined);
  }

  /** The schemas that judge the same value together with this one. */
  #partsOf(schema: Schema): Schema[] {
    const parts: unknown[] = [];
    if (typeof schema.$ref === 'string') parts.push(this.document.lookUp(schema.$ref));
    if (Array.isArray(schema.allOf) && !this.document.hasOnlyReference(schema)) {
      parts.push(...(schema.allOf as unknown[]));
    }
    return parts.filter(isObject);
  }
}

export function joinGroups(...groups: readonly Group[]): Group {
  const joined = { hidden: new Set<string>(), required: new Set<string>() };
  for (const group of groups) addAll(joined, group);
  return joined;
}

function addAll(
  to: { hidden: Set<string>; required: Set<string> },
  { hidden, required }: Group,
): void {
  hidden.forEach((name) => to.hidden.add(name));
  required.forEach((name) => to.required.add(name));
}

/**
 * OpenAPI 3.0.3 §4.7.24: `required` has no effect on a readOnly member in a request, nor on a
 * writeOnly one in a response, whichever of the schemas of an `allOf` says either.
 */
export const requireOnlyWhatTravels: Rule = (schema, draft, { group }) => {
  if (!Array.isArray(schema.required)) return;
  const required = schema.required.filter((name) => !group.hidden.has(String(name)));
  if (required.length > 0) draft.required = required;
  else Reflect.deleteProperty(draft, 'required');
};

/** A member that doesn't travel this way: the validator refuses it by name, whatever its value. */
export function hiddenMember(side: Side): SchemaDraft {
  return { [HIDING[side]]: true };
}

export const normaliseMembers: Rule = (schema, draft, { group, normaliseMember }) => {
  if (!isObject(schema.properties)) return;
  draft.properties = Object.fromEntries(
    Object.entries(schema.properties).map(([name, member]) => [
      name,
      normaliseMember(member, group.required.has(name)),
    ]),
  );
};
