import { isObject, type ContractDocument, type Schema } from '../../document/document.js';
import { fitDefault } from '../../validation/normalise/defaults.js';
import { MemberFinder } from '../../validation/normalise/members.js';

export interface SchemaViewOptions {
  /** Names the component schemas that differ, as in `Loan.request`. */
  readonly name: string;
  /** Which way the values travel: readOnly members aren't sent, writeOnly ones not answered. */
  readonly side: 'request' | 'response';
  /** For values whose defaults are filled in: members that have one are always there. */
  readonly withDefaults?: boolean;
  /** For what stands inside `oneOf`, `anyOf` and `not`, where no default is filled in. */
  readonly insideBranches?: SchemaView;
}

const COMPONENT = /^#\/components\/schemas\/([^/]+)$/;
const SCHEMAS = ['items', 'additionalProperties', 'allOf', 'prefixItems', 'unevaluatedProperties'];
const BRANCHES = ['oneOf', 'anyOf', 'not', 'if', 'then', 'else', 'contains'];
const BRANCH_MAPS = ['dependentSchemas'];

/**
 * The schemas of a contract as they are for values that travel one way (OpenAPI 3.0.3 §4.7.24.1).
 * A component schema that is no different there keeps its name; the others get a name of their own.
 */
export class SchemaView {
  readonly #members: MemberFinder;
  readonly #schemas: Readonly<Record<string, unknown>>;
  /** The components that differ, and those of them that something refers to. */
  readonly #differing = new Set<string>();
  readonly #used = new Set<string>();

  constructor(
    readonly document: ContractDocument,
    readonly options: SchemaViewOptions,
  ) {
    this.#members = new MemberFinder(document, options.side);
    this.#schemas = document.root.components?.schemas ?? {};
    // What refers to a schema that differs does so too: until nothing is added.
    for (let before = -1; before < this.#differing.size;) {
      before = this.#differing.size;
      for (const [name, schema] of Object.entries(this.#schemas)) {
        if (this.spell(schema) !== schema) this.#differing.add(name);
      }
    }
    this.#used.clear();
  }

  /** The component schemas that differ and that what was spelled so far refers to. */
  usedComponents(): Record<string, unknown> {
    const used: Record<string, unknown> = {};
    // Grows while it is walked, by what the schemas in it refer to.
    for (const name of this.#used) used[this.#nameOf(name)] = this.spell(this.#schemas[name]);
    return used;
  }

  /** A schema as it is in this view; the same object where it is no different. */
  spell(schema: unknown, isInBranch = false): unknown {
    if (!isObject(schema)) return schema;
    const isReference = this.document.hasOnlyReference(schema);
    const spelled = mapEntries(schema, (keyword, value) => {
      const spell = (inner: unknown): unknown => this.spell(inner, isInBranch);
      const spellBranch = (inner: unknown): unknown => this.spell(inner, true);
      if (keyword === '$ref') return this.#spellReference(value, isInBranch);
      if (isReference) return value;
      if (keyword === 'properties') return this.#spellProperties(value, spell);
      if (keyword === 'patternProperties') return mapEntries(value, (_name, one) => spell(one));
      if (keyword === 'discriminator') {
        return this.#spellMapping(value, isInBranch || 'oneOf' in schema || 'anyOf' in schema);
      }
      if (SCHEMAS.includes(keyword)) return mapItems(value, spell);
      if (BRANCHES.includes(keyword)) return mapItems(value, spellBranch);
      if (BRANCH_MAPS.includes(keyword)) return mapEntries(value, (_name, one) => spellBranch(one));
      return value;
    }) as Schema; // an object is mapped to an object
    return isReference || isInBranch ? spelled : this.#requireDefaulted(schema, spelled);
  }

  #spellReference(ref: unknown, isInBranch: boolean): unknown {
    const name = COMPONENT.exec(String(ref))?.[1];
    if (name === undefined) return ref;
    const { insideBranches } = this.options;
    if (insideBranches !== undefined && (isInBranch || !this.#differing.has(name))) {
      return insideBranches.#spellReference(ref, isInBranch);
    }
    if (!this.#differing.has(name)) return ref;
    this.#used.add(name);
    return `#/components/schemas/${this.#nameOf(name)}`;
  }

  #nameOf(name: string): string {
    return this.#differing.has(name) ? `${name}.${this.options.name}` : name;
  }

  #spellProperties(properties: unknown, spell: (schema: unknown) => unknown): unknown {
    return mapEntries(properties, (_name, member) =>
      this.#members.isHidden(member) ? undefined : spell(member),
    );
  }

  #requireDefaulted(schema: Schema, spelled: Schema): Schema {
    if (this.options.withDefaults !== true || !isObject(schema.properties)) return spelled;
    const required = Array.isArray(schema.required) ? (schema.required as unknown[]) : [];
    const defaulted = Object.entries(schema.properties)
      .filter(([name, member]) => !required.includes(name) && this.hasDefault(member))
      .map(([name]) => name);
    return defaulted.length === 0 ? spelled : { ...spelled, required: [...required, ...defaulted] };
  }

  /** Whether the engine fills in a value where none is sent. */
  hasDefault(member: unknown): boolean {
    if (this.#members.isHidden(member)) return false;
    const found = this.#members.defaultOf(member);
    if (found === undefined) return false;
    return 'value' in fitDefault(found.value, this.#members.typesOf(member), found.schema.enum);
  }

  #spellMapping(discriminator: unknown, isInBranch: boolean): unknown {
    return mapEntries(discriminator, (keyword, value) =>
      keyword === 'mapping'
        ? mapEntries(value, (_value, ref) => this.#spellReference(ref, isInBranch))
        : value,
    );
  }
}

/** The same list or value with a schema mapped to what it is mapped to. */
function mapItems(value: unknown, map: (schema: unknown) => unknown): unknown {
  if (!Array.isArray(value)) return map(value);
  const mapped = value.map(map);
  return mapped.every((item, index) => item === value[index]) ? value : mapped;
}

/** An object with its members mapped, without those that are mapped to nothing; itself if none changes. */
function mapEntries(value: unknown, map: (name: string, member: unknown) => unknown): unknown {
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  const mapped = entries.map(([name, member]) => [name, map(name, member)] as const);
  if (mapped.every(([, member], index) => member === entries[index]?.[1])) return value;
  return Object.fromEntries(mapped.filter(([, member]) => member !== undefined));
}
