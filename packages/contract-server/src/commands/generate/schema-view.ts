import { isObject, type ContractDocument, type Schema } from '../../document/document.js';
import { defaultOf } from '../../schema/defaults.js';
import { isHidden, type Direction } from '../../schema/direction.js';
import { mapMembers, mapSchemas } from '../../schema/keywords.js';
import { listOf } from '../../schema/traversal.js';

export interface SchemaViewOptions {
  /** Names the component schemas that differ, as in `Loan.request`. */
  readonly name: string;
  /** Which way the values travel: readOnly members aren't sent, writeOnly ones not answered. */
  readonly direction: Direction;
  /** For values whose defaults are filled in: members that have one are always there. */
  readonly withDefaults?: boolean;
  /** Formats that stand for another type than text: schemas with one of them are marked. */
  readonly formats?: ReadonlySet<string>;
  /** For what stands inside `oneOf`, `anyOf` and `not`, where no default is filled in. */
  readonly insideBranches?: SchemaView;
}

/** Marks a schema whose values have the type of its format. */
export const MAPPED = 'x-mapped-format';

const COMPONENT = /^#\/components\/schemas\/([^/]+)$/;
/** Keywords whose schemas fill in no defaults. */
const BRANCHES = ['oneOf', 'anyOf', 'not', 'if', 'then', 'else', 'contains', 'dependentSchemas'];

/**
 * The schemas of a contract as they are for values that travel one way (OpenAPI 3.0.3 §4.7.24.1).
 * A component schema that is no different there keeps its name; the others get a name of their own.
 */
export class SchemaView {
  readonly #schemas: Readonly<Record<string, unknown>>;
  /** The components that differ, and those of them that something refers to. */
  readonly #differing = new Set<string>();
  readonly #used = new Set<string>();

  constructor(
    readonly document: ContractDocument,
    readonly options: SchemaViewOptions,
  ) {
    this.#schemas = document.root.components?.schemas ?? {};
    // A schema that refers to one that differs does so, too; repeated until none is added.
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
    const spelled = mapMembers(schema, (keyword, value) => {
      if (keyword === '$ref') return this.#spellReference(value, isInBranch);
      if (isReference) return value;
      if (keyword === 'discriminator') {
        return this.#spellMapping(value, isInBranch || 'oneOf' in schema || 'anyOf' in schema);
      }
      return mapSchemas(keyword, value, (inner) =>
        keyword === 'properties' && this.#isHidden(inner)
          ? undefined
          : this.spell(inner, isInBranch || BRANCHES.includes(keyword)),
      );
    }) as Schema; // an object is mapped to an object
    if (isReference) return spelled;
    const marked = this.#isMapped(schema) ? { ...spelled, [MAPPED]: true } : spelled;
    return isInBranch ? marked : this.#requireDefaulted(schema, marked);
  }

  #isMapped({ format }: Schema): boolean {
    return typeof format === 'string' && this.options.formats?.has(format) === true;
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

  #isHidden(member: unknown): boolean {
    return isHidden(this.document, member, this.options.direction);
  }

  #requireDefaulted(schema: Schema, spelled: Schema): Schema {
    if (this.options.withDefaults !== true || !isObject(schema.properties)) return spelled;
    const required = listOf(schema.required);
    const defaulted = Object.entries(schema.properties)
      .filter(([name, member]) => !required.includes(name) && this.hasDefault(member))
      .map(([name]) => name);
    return defaulted.length === 0 ? spelled : { ...spelled, required: [...required, ...defaulted] };
  }

  /** Whether the engine fills in a value where none is sent. */
  hasDefault(member: unknown): boolean {
    return !this.#isHidden(member) && defaultOf(this.document, member)?.value !== undefined;
  }

  #spellMapping(discriminator: unknown, isInBranch: boolean): unknown {
    return mapMembers(discriminator, (keyword, value) =>
      keyword === 'mapping'
        ? mapMembers(value, (_value, ref) => this.#spellReference(ref, isInBranch))
        : value,
    );
  }
}
