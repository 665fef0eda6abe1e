import { serialize } from 'node:v8';
import type { ContractDocument } from '../document/document.js';
import type { TextFormats } from '../document/text-format.js';
import type { Direction } from '../schema/direction.js';
import { integerFormats } from '../schema/integers.js';
import { createMultipleCheck, multipleFormat } from '../schema/multiples.js';
import { ValidatorInstance, type ValidateAll } from './instance.js';
import { joinSlices } from './slice-document.js';
import { exactnessOf, reachedComponents, type Slice } from './slice.js';
import { StandIns } from './stand-ins.js';

/**
 * How many slices share an instance of express-openapi-validator, which takes some 40 ms and some
 * memory of its own; but it walks through the paths of its document for every slice that it compiles.
 */
const SLICES_PER_INSTANCE = 128;

/**
 * A slice that reaches more components than this shares its instance with all others that do. In a
 * contract with such slices nearly everything reaches everything, and it is compiled but once.
 */
const MAX_REACHED = 100;

interface Group {
  readonly slices: readonly Slice[];
  built: { readonly instance: ValidatorInstance; readonly standIns: StandIns } | undefined;
}

/** What validates the messages of a slice. */
export interface SliceValidator {
  readonly validateAll: ValidateAll;
  /** What stands for integers beyond 2^53; undefined where the schemas ask nothing exact of them. */
  readonly standIns: StandIns | undefined;
}

/** Builds what validates the messages of slices, and the instances that it takes, when they are asked for. */
export class ValidatorInstances {
  readonly #groups = new Map<Slice, Group>();
  /** The slice that is compiled for one that says the same, as do errors that each operation declares. */
  readonly #compiled = new Map<Slice, Slice>();
  /** A slice of each instance; of one for slices that reach many components, the slice that reaches most. */
  readonly #firsts: { readonly slice: Slice; readonly isBroad: boolean }[] = [];

  constructor(
    readonly document: ContractDocument,
    slices: ReadonlySet<Slice>,
  ) {
    for (const direction of ['request', 'response'] as const) {
      const ofDirection = this.#distinct([...slices].filter((one) => one.direction === direction));
      const reached = new Map(
        ofDirection.map((slice) => [slice, reachedComponents(document, [slice]).size]),
      );
      const sizeOf = (slice: Slice): number => reached.get(slice) ?? 0;
      const broad = ofDirection.filter((slice) => sizeOf(slice) > MAX_REACHED);
      this.#add(
        broad.sort((one, other) => sizeOf(other) - sizeOf(one)),
        true,
      );
      const others = ofDirection.filter((slice) => sizeOf(slice) <= MAX_REACHED);
      for (let from = 0; from < others.length; from += SLICES_PER_INSTANCE) {
        this.#add(others.slice(from, from + SLICES_PER_INSTANCE), false);
      }
    }
  }

  #distinct(slices: readonly Slice[]): Slice[] {
    const bySchema = new Map<string, Slice>();
    for (const slice of slices) {
      const schema = serialize(slice.schema).toString('latin1');
      const compiled = bySchema.get(schema) ?? slice;
      bySchema.set(schema, compiled);
      this.#compiled.set(slice, compiled);
    }
    return [...bySchema.values()];
  }

  #add(slices: readonly Slice[], isBroad: boolean): void {
    const group: Group = { slices, built: undefined };
    for (const slice of slices) this.#groups.set(slice, group);
    const [first] = slices;
    if (first !== undefined) this.#firsts.push({ slice: first, isBroad });
  }

  /**
   * Builds what holds requests up longest: the components that many slices share, which takes seconds;
   * and of all instances, where they are asked for, what a slice finds there when it is compiled.
   */
  async prepare(which: 'shared' | 'all'): Promise<void> {
    for (const { slice, isBroad } of this.#firsts) {
      if (which === 'shared' && !isBroad) continue;
      const { validateAll } = await this.validatorOf(slice);
      await validateAll([]);
    }
  }

  /** Resolves with what validates a slice's messages. It compiles the slice when it is first called. */
  async validatorOf(slice: Slice): Promise<SliceValidator> {
    const compiled = this.#compiled.get(slice) ?? slice;
    const group = this.#groups.get(compiled);
    if (group === undefined) throw new Error('the slice is not one of these instances');
    const { instance, standIns } = (group.built ??= this.#build(group.slices, slice.direction));
    const { literals, factors, hasUniqueItems } = exactnessOf(this.document, [slice]);
    const isExact = literals.size > 0 || factors.size > 0 || hasUniqueItems;
    return {
      validateAll: await instance.validatorOf(group.slices.indexOf(compiled)),
      standIns: isExact ? standIns : undefined,
    };
  }

  #build(slices: readonly Slice[], direction: Direction) {
    const { literals, factors } = exactnessOf(this.document, slices);
    const standIns = new StandIns(literals);
    const formats = {
      ...integerFormats,
      ...checkedFormats(this.document.formats),
      ...multipleFormats(factors, standIns),
    };
    const joined = joinSlices(this.document, slices, standIns);
    return { instance: new ValidatorInstance(joined, direction, formats), standIns };
  }
}

/** Those that the service checks by itself. */
function checkedFormats(formats: TextFormats) {
  const checked = Object.entries(formats).flatMap(([name, { validate }]) =>
    validate === undefined ? [] : [[name, { type: 'string' as const, validate }] as const],
  );
  return Object.fromEntries(checked);
}

/** Those that judge by `multipleOf`. */
function multipleFormats(factors: ReadonlySet<number | bigint>, standIns: StandIns) {
  return Object.fromEntries(
    [...factors].map((factor) => {
      const isMultiple = createMultipleCheck(factor);
      const validate = (double: number): boolean =>
        isMultiple(standIns.integerOf(double) ?? double);
      return [multipleFormat(factor), { type: 'number' as const, validate }];
    }),
  );
}
