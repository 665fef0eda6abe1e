import { ContractError } from '../../document/contract-error.js';
import { isObject, type ContractDocument, type Schema } from '../../document/document.js';
import { defaultOf } from '../../schema/defaults.js';
import { hiddenMember, isHidden, type Direction } from '../../schema/direction.js';
import { mapSchemas } from '../../schema/keywords.js';
import { listOf } from '../../schema/traversal.js';
import { exclusiveAsBound, keepDatesText, nullableAsType } from './dialect.js';
import { discriminate } from './discriminator.js';
import { dropUnknownFormats } from './formats.js';
import { isInPlace, canRefuse, KeywordError, keywordProblems } from './keywords.js';
import { exactRules } from './literals.js';
import {
  joinGroups,
  MemberGroups,
  NO_GROUP,
  normaliseMembers,
  requireOnlyWhatTravels,
} from './members.js';
import { unicodePatterns } from './patterns.js';
import { ignoreBaseUri, referenceTo, TargetNames, type Target } from './references.js';
import type { Exactness, Group, Rule, SchemaDraft } from './rule.js';
import { refuseSelfApplication } from './self-application.js';
import { spellOutTuples } from './tuples.js';

/** Applied in this order, to a draft that has the schema's keywords with their inner schemas normalised. */
const RULES: readonly Rule[] = [
  nullableAsType,
  exclusiveAsBound,
  dropUnknownFormats,
  keepDatesText,
  unicodePatterns,
  ...exactRules,
  requireOnlyWhatTravels,
  normaliseMembers,
  spellOutTuples,
  discriminate,
  ignoreBaseUri,
];

/** Something that a normalised schema doesn't enforce, and the schema of the contract that has it. */
export interface SchemaWarning {
  readonly schema: object;
  readonly what: string;
}

/** A normalised schema, and what it needs. */
export interface Normalised {
  readonly schema: unknown;
  /** The names of the components that it refers to. */
  readonly uses: ReadonlySet<string>;
  readonly warnings: readonly SchemaWarning[];
  /** What it must be judged by exact numbers for; its literals are still `bigint`s. */
  readonly exact: Exactness;
  /** Why the schema isn't one; what refers to it can't be served. */
  readonly error?: ContractError;
}

/**
 * Rewrites the schemas of a contract, for requests or for responses, into those that the validator
 * takes and that mean the same: JSON Schema 2020-12 without annotations, every reference to a
 * component. A component is rewritten once, for all the slices that it is in.
 */
export class Normaliser {
  readonly components = new Map<string, Normalised>();
  readonly #members: MemberGroups;
  readonly #targets: TargetNames;

  constructor(
    readonly document: ContractDocument,
    readonly direction: Direction,
  ) {
    this.#members = new MemberGroups(document, direction);
    this.#targets = new TargetNames(document, this.#members);
  }

  /**
   * A schema that isn't a component; with its default, where it has an effect.
   * @throws ContractError where a reference leads nowhere, or a keyword isn't one
   */
  normalise(schema: unknown, isRequired: boolean): Normalised {
    const queue: Target[] = [];
    const walk = new Walk(this.document, this.direction, this.#members, this.#targets, queue);
    try {
      return walk.finish(walk.root(schema, isRequired));
    } finally {
      // Also where the schema is none: others refer to these components, too.
      for (let target = queue.pop(); target !== undefined; target = queue.pop()) {
        this.components.set(target.name, this.#component(target, queue));
      }
    }
  }

  #component(target: Target, queue: Target[]): Normalised {
    const walk = new Walk(this.document, this.direction, this.#members, this.#targets, queue);
    try {
      return walk.finish(walk.component(target));
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      return { ...walk.finish(false), error };
    }
  }
}

/** The rewriting of one schema, down to the references in it. */
class Walk {
  readonly #uses = new Set<string>();
  readonly #warnings: SchemaWarning[] = [];
  readonly #exact: Exactness = { literals: new Set(), factors: new Set(), hasUniqueItems: false };

  constructor(
    readonly document: ContractDocument,
    readonly direction: Direction,
    readonly members: MemberGroups,
    readonly targets: TargetNames,
    readonly queue: Target[],
  ) {}

  finish(schema: unknown): Normalised {
    return { schema, uses: this.#uses, warnings: this.#warnings, exact: this.#exact };
  }

  component({ schema, group }: Target): unknown {
    if (isObject(schema)) refuseSelfApplication(this.document, schema);
    const normalised = this.#normalise(schema, group);
    // The validator takes a component that is `true`, or a mere reference, for something else.
    if (!isObject(normalised)) return normalised === false ? { not: {} } : {};
    return '$ref' in normalised ? { allOf: [normalised] } : normalised;
  }

  root(schema: unknown, isRequired: boolean): unknown {
    return this.#withDefault(schema, this.#normalise(schema, NO_GROUP), isRequired);
  }

  #member(member: unknown, isRequired: boolean): unknown {
    if (isHidden(this.document, member, this.direction)) return hiddenMember(this.direction);
    return this.#withDefault(member, this.#normalise(member, NO_GROUP), isRequired);
  }

  /** JSON Schema 2020-12 validation §9.2; a required member has nothing to fall back on. */
  #withDefault(member: unknown, normalised: unknown, isRequired: boolean): unknown {
    if (isRequired || this.direction === 'response' || !isObject(normalised)) return normalised;
    const { schema, value, warning } = defaultOf(this.document, member) ?? {};
    if (schema !== undefined && warning !== undefined)
      this.#warnings.push({ schema, what: warning });
    return value === undefined ? normalised : { ...normalised, default: value };
  }

  #normalise(schema: unknown, outer: Group): unknown {
    if (!isObject(schema)) return schema;
    const problems = keywordProblems(schema, this.document.isOpenApi30);
    if (problems.length > 0) throw new KeywordError(schema, problems);
    const group = joinGroups(outer, this.members.groupOf(schema));
    const reference = this.#reference(schema, group);
    // OpenAPI 3.0.3 §4.7.23: what stands beside a `$ref` is ignored.
    if (reference !== undefined && this.document.hasOnlyReference(schema)) return reference;
    const draft = this.#draft(schema, group);
    if (reference === undefined) return draft;
    // OpenAPI 3.1 §4.8.24: it applies. The validator loses it where it stands beside a `$ref`.
    if (Object.keys(draft).length === 0) return reference;
    return { ...draft, allOf: [reference, ...listOf(draft.allOf)] };
  }

  #reference({ $ref }: Schema, group: Group): SchemaDraft | undefined {
    if (typeof $ref !== 'string') return undefined;
    const { target, isNew } = this.targets.targetOf($ref, group);
    if (isNew) this.queue.push(target);
    this.#uses.add(target.name);
    return { $ref: referenceTo(target.name) };
  }

  #draft(schema: Schema, group: Group): SchemaDraft {
    const normalise = (inner: unknown): unknown => this.#normalise(inner, NO_GROUP);
    const normaliseInPlace = (inner: unknown): unknown => this.#normalise(inner, group);
    const draft: SchemaDraft = {};
    for (const [keyword, value] of Object.entries(schema)) {
      // These two have rules of their own.
      if (!canRefuse(keyword) || keyword === 'properties' || keyword === 'prefixItems') continue;
      draft[keyword] = mapSchemas(
        keyword,
        value,
        isInPlace(keyword) ? normaliseInPlace : normalise,
      );
    }
    for (const rule of RULES) {
      rule(schema, draft, {
        document: this.document,
        group,
        normalise,
        normaliseMember: (member, isRequired) => this.#member(member, isRequired),
        exact: this.#exact,
        warn: (what) => this.#warnings.push({ schema, what }),
      });
    }
    return draft;
  }
}
