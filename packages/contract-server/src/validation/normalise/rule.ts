import type { ContractDocument, Schema } from '../../document/document.js';

/** A schema under construction. */
export type SchemaDraft = Record<string, unknown>;

/** What is known of an object's members from all the schemas that judge it together. */
export interface Group {
  /** Members that don't travel this way. */
  readonly hidden: ReadonlySet<string>;
  readonly required: ReadonlySet<string>;
}

/** What of a schema the validator, which knows only doubles, doesn't judge right by itself. */
export interface Exactness {
  /** Integers beyond 2^53 that values are compared with. */
  readonly literals: Set<bigint>;
  /** What values must be multiples of. */
  readonly factors: Set<number | bigint>;
  hasUniqueItems: boolean;
}

/** What a rule may ask for while it rewrites one schema. */
export interface RuleContext {
  readonly document: ContractDocument;
  /** The members of the schema, and of those that it stands in or refers to. */
  readonly group: Group;
  /** A schema inside this one, that judges another value. */
  readonly normalise: (schema: unknown) => unknown;
  /** A schema of a member, with its default where it has an effect. */
  readonly normaliseMember: (schema: unknown, isRequired: boolean) => unknown;
  /** Gets what must be judged by exact numbers. */
  readonly exact: Exactness;
  /** Adds a warning of what the rewritten schema doesn't enforce. */
  readonly warn: (what: string) => void;
}

/** Reads a schema as the contract has it, and writes the draft that the validator gets. */
export type Rule = (schema: Schema, draft: SchemaDraft, context: RuleContext) => void;
