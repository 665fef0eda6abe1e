import { isObject, type ContractDocument, type Schema } from '../../document/document.js';
import { defaultOf } from '../../schema/defaults.js';
import { isHidden, type Direction } from '../../schema/direction.js';
import { appliedSchemas, conjunctsOf, listOf } from '../../schema/traversal.js';
import type { Group, Rule } from './rule.js';

export const NO_GROUP: Group = { hidden: new Set(), required: new Set() };

interface Mentioned {
  readonly required: ReadonlySet<string>;
  readonly defaulted: ReadonlySet<string>;
}

/** Finds what the schemas that judge an object together say of its members; looks at each schema once. */
export class MemberGroups {
  readonly #groups = new Map<Schema, Group>();
  readonly #mentioned = new Map<Schema, Mentioned>();

  constructor(
    readonly document: ContractDocument,
    readonly direction: Direction,
  ) {}

  groupOf(schema: Schema): Group {
    const known = this.#groups.get(schema);
    if (known !== undefined) return known;
    const conjuncts = conjunctsOf(this.document, schema);
    const group = {
      hidden: namesOf(conjuncts, (member) => isHidden(this.document, member, this.direction)),
      required: requiredBy(conjuncts),
    };
    this.#groups.set(schema, group);
    return group;
  }

  /**
   * The names that the schema, or any other that may judge the same value, requires, and those that it
   * has a default for.
   */
  mentionedBy(schema: Schema): Mentioned {
    const known = this.#mentioned.get(schema);
    if (known !== undefined) return known;
    const applied = appliedSchemas(this.document, schema);
    const mentioned = {
      required: requiredBy(applied),
      defaulted: namesOf(applied, (member) => defaultOf(this.document, member) !== undefined),
    };
    this.#mentioned.set(schema, mentioned);
    return mentioned;
  }
}

/** The names of the members that these schemas declare with a schema that passes a test. */
function namesOf(
  schemas: readonly Schema[],
  test: (member: unknown) => boolean,
): ReadonlySet<string> {
  const members = schemas.flatMap(({ properties }) =>
    isObject(properties) ? Object.entries(properties) : [],
  );
  return new Set(members.filter(([, member]) => test(member)).map(([name]) => name));
}

function requiredBy(schemas: readonly Schema[]): ReadonlySet<string> {
  return new Set(schemas.flatMap(({ required }) => listOf(required)).map(String));
}

export function joinGroups(outer: Group, own: Group): Group {
  if (outer === NO_GROUP) return own;
  return {
    hidden: new Set([...outer.hidden, ...own.hidden]),
    required: new Set([...outer.required, ...own.required]),
  };
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

export const normaliseMembers: Rule = (schema, draft, { group, normaliseMember }) => {
  if (!isObject(schema.properties)) return;
  draft.properties = Object.fromEntries(
    Object.entries(schema.properties).map(([name, member]) => [
      name,
      normaliseMember(member, group.required.has(name)),
    ]),
  );
};
