import { serialize } from 'node:v8';
import type { ContractDocument } from '../document/document.js';
import type { TextFormats } from '../document/text-format.js';
import { longTurn } from '../exchange/long-turn.js';
import type { Direction } from '../schema/direction.js';
import { integerFormats } from '../schema/integers.js';
import { createMultipleCheck, multipleFormat } from '../schema/multiples.js';
import { ValidatorInstance, type ValidateAll } from './instance.js';
import { joinSlices, type JoinedSlices, type SliceGroup } from './slice-document.js';
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

interface Group extends SliceGroup {
  built: BuiltGroup | undefined;
}

interface BuiltGroup {
  readonly instance: ValidatorInstance;
  readonly stepsBefore: JoinedSlices['stepsBefore'];
  readonly standIns: StandIns;
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
        direction,
        broad.sort((one, other) => sizeOf(other) - sizeOf(one)),
        true,
      );
      const others = ofDirection.filter((slice) => sizeOf(slice) <= MAX_REACHED);
      for (let from = 0; from < others.length; from += SLICES_PER_INSTANCE) {
        this.#add(direction, others.slice(from, from + SLICES_PER_INSTANCE), false);
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

  #add(direction: Direction, slices: readonly Slice[], isBroad: boolean): void {
    const group: Group = { direction, slices, isBroad, built: undefined };
    for (const slice of slices) this.#groups.set(slice, group);
  }

  /**
   * Builds what holds requests up longest: the components that many slices share, which takes seconds;
   * and of all instances, where they are asked for, what a slice finds there when it is compiled.
   */
  async prepare(which: 'shared' | 'all'): Promise<void> {
    for (const { slices, isBroad } of new Set(this.#groups.values())) {
      // Of slices that reach many components, the first is the one that reaches most.
      const [first] = slices;
      if (first === undefined || (which === 'shared' && !isBroad)) continue;
      const { validateAll } = await this.validatorOf(first);
      await validateAll(NO_MESSAGES);
    }
  }

  /**
   * Resolves with what validates a slice's messages, once all that it needs is compiled, part by part. It
   * compiles the slice itself when it is first called.
   */
  async validatorOf(slice: Slice): Promise<SliceValidator> {
    const compiled = this.#compiled.get(slice) ?? slice;
    const group = this.#groups.get(compiled);
    if (group === undefined) throw new Error('the slice is not one of these instances');
    const { instance, stepsBefore, standIns } = (group.built ??= this.#build(group));
    const index = group.slices.indexOf(compiled);
    for (const step of stepsBefore(index)) {
      await (
        await instance.validatorOf(step)
      )(NO_MESSAGES);
      await longTurn();
    }
    const { literals, factors, hasUniqueItems } = exactnessOf(this.document, [slice]);
    const isExact = literals.size > 0 || factors.size > 0 || hasUniqueItems;
    return {
      validateAll: await instance.validatorOf(index),
      standIns: isExact ? standIns : undefined,
    };
  }

  #build(group: Group): BuiltGroup {
    const { literals, factors } = exactnessOf(this.document, group.slices);
    const standIns = new StandIns(literals);
    const formats = {
      ...integerFormats,
      ...checkedFormats(this.document.formats),
      ...multipleFormats(factors, standIns),
    };
    const joined = joinSlices(this.document, group, standIns);
    return {
      instance: new ValidatorInstance(joined.document, group.direction, formats),
      stepsBefore: joined.stepsBefore,
      standIns,
    };
  }
}

/** To have a schema compiled. */
const NO_MESSAGES: readonly unknown[] = [];

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
