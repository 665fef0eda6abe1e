import { ContractError } from '../../document/contract-error.js';
import { isObject, type ContractDocument } from '../../document/document.js';
import { isBareReference } from '../../schema/traversal.js';
import { NO_GROUP, type MemberGroups } from './members.js';
import type { Group, Rule } from './rule.js';

/** How normalised schemas refer to a component: by a name alone, never by a place in a document. */
export const referenceTo = (name: string): string => `#${name}`;
/** The name in such a reference. */
export const nameIn = (reference: string): string => reference.slice(1);

/** A schema that others refer to, under its name in the slices. */
export interface Target {
  readonly name: string;
  readonly schema: unknown;
  readonly group: Group;
}

/**
 * Gives everything that a `$ref` points at a name among the components. In a contract a reference may
 * lead anywhere (OpenAPI 3.1 §4.8.23): into paths, into `$defs`, deeper into a schema.
 */
export class TargetNames {
  readonly #targets = new Map<unknown, Map<string, Target>>();
  readonly #names = new Set<string>();

  constructor(
    readonly document: ContractDocument,
    readonly members: MemberGroups,
  ) {}

  /**
   * The same schema has several names where its members differ by what the schema that refers to it
   * says of them; `isNew` until its first use.
   */
  targetOf(ref: string, group: Group): { target: Target; isNew: boolean } {
    const { schema, ref: lastRef } = this.#follow(ref);
    const relevant = this.#relevant(schema, group);
    const key = JSON.stringify([[...relevant.hidden].sort(), [...relevant.required].sort()]);
    const byGroup = this.#targets.get(schema) ?? new Map<string, Target>();
    this.#targets.set(schema, byGroup);
    const known = byGroup.get(key);
    if (known !== undefined) return { target: known, isNew: false };
    const target = { name: this.#createName(lastRef), schema, group: relevant };
    byGroup.set(key, target);
    return { target, isNew: true };
  }

  /** A schema that is nothing but a reference stands for what it refers to. */
  #follow(ref: string): { schema: unknown; ref: string } {
    let last = ref;
    const seen = new Set<string>();
    for (;;) {
      if (seen.has(last)) throw new ContractError([`${ref}: the reference leads to itself`]);
      seen.add(last);
      const schema = this.document.lookUp(last);
      if (!isBareReference(this.document, schema)) return { schema, ref: last };
      last = schema.$ref;
    }
  }

  /** The part of a group that makes a difference to this schema. */
  #relevant(schema: unknown, group: Group): Group {
    if (!isObject(schema) || (group.hidden.size === 0 && group.required.size === 0))
      return NO_GROUP;
    const own = this.members.groupOf(schema);
    const { required, defaulted } = this.members.mentionedBy(schema);
    const isDefaulted = (name: string): boolean =>
      this.members.direction === 'request' && defaulted.has(name) && !own.required.has(name);
    return {
      hidden: new Set(
        [...group.hidden].filter((name) => required.has(name) && !own.hidden.has(name)),
      ),
      required: new Set([...group.required].filter(isDefaulted)),
    };
  }

  #createName(ref: string): string {
    const readable = `${this.members.direction}_${(ref.split('/').at(-1) ?? '').replace(/[^A-Za-z0-9_-]/g, '_')}`;
    let name = readable;
    for (let count = 2; this.#names.has(name); count++) name = `${readable}_${count}`;
    this.#names.add(name);
    return name;
  }
}

/**
 * JSON Schema 2020-12 core §8.2.1: the references in a schema with an `$id` start from that. Ours
 * start from the document, which is where most contracts mean them to start.
 */
export const ignoreBaseUri: Rule = ({ $id }, _draft, { warn }) => {
  if (typeof $id === 'string') {
    warn(`$id ${$id} is ignored: references in the schema start from the document`);
  }
};
