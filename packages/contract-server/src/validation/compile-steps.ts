import { isReference, type Schema } from '../document/document.js';
import { findPointer } from '../json/pointer.js';
import { nameIn } from './normalise/references.js';
import { MAX_TURN_BYTES, sizeOf } from './named-schemas.js';

/**
 * Ajv compiles with a schema all that it refers to and isn't compiled yet. Some schemas are steps: they are
 * compiled before those that refer to them, so that none takes more of a turn than {@link MAX_TURN_BYTES}.
 * Schemas that refer to each other are compiled together, whatever they take.
 */
export class CompileSteps {
  readonly #uses: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #sizes: ReadonlyMap<string, number>;
  readonly #steps = new Set<string>();
  readonly #compiled = new Set<string>();

  /** @param first the name of a schema that is compiled before all others, with all that it refers to */
  constructor(schemas: ReadonlyMap<string, Schema>, first: string | undefined) {
    this.#uses = new Map([...schemas].map(([name, schema]) => [name, namesIn(schema)]));
    this.#sizes = new Map([...schemas].map(([name, schema]) => [name, sizeOf(schema)]));
    if (first !== undefined) this.#setCompiled(first);
    const weights = new Map([...this.#compiled].map((name) => [name, 0]));
    for (const name of schemas.keys()) this.#weigh(name, weights);
  }

  /** The names of the steps. */
  get all(): ReadonlySet<string> {
    return this.#steps;
  }

  /** The steps to compile, one after the other, before a schema. Those that are already compiled aren't in it. */
  *before(name: string): Generator<string, void> {
    for (const step of this.#pending(name)) {
      if (step === name || !this.#steps.has(step) || this.#compiled.has(step)) continue;
      yield step;
      this.#setCompiled(step);
    }
  }

  #setCompiled(name: string): void {
    for (const compiled of this.#pending(name)) this.#compiled.add(compiled);
  }

  /** How much is compiled with a schema, once its steps are. */
  #weigh(name: string, weights: Map<string, number>): number {
    const known = weights.get(name);
    if (known !== undefined) return known;
    // It is being compiled when something that it refers to refers to it.
    weights.set(name, 0);
    const uses = [...this.#usesOf(name)].map((use) => ({ use, size: this.#weigh(use, weights) }));
    let total = this.#sizes.get(name) ?? 0;
    for (const { use, size } of uses.sort((one, other) => one.size - other.size)) {
      // What refers to nothing, Ajv copies.
      const isCopied = this.#usesOf(use).size === 0;
      if (isCopied || total + size <= MAX_TURN_BYTES) total += size;
      else this.#steps.add(use);
    }
    weights.set(name, total);
    return total;
  }

  /** A schema and what it reaches that isn't compiled, where possible after what they refer to. */
  #pending(name: string, seen = new Set<string>()): string[] {
    if (seen.has(name) || this.#compiled.has(name)) return [];
    seen.add(name);
    const names: string[] = [];
    for (const use of this.#usesOf(name)) names.push(...this.#pending(use, seen));
    names.push(name);
    return names;
  }

  #usesOf(name: string): ReadonlySet<string> {
    return this.#uses.get(name) ?? NONE;
  }
}

const NONE: ReadonlySet<string> = new Set();

function namesIn(schema: Schema): ReadonlySet<string> {
  const names = new Set<string>();
  findPointer(schema, (part) => {
    if (isReference(part)) names.add(nameIn(part.$ref));
    return false;
  });
  return names;
}
