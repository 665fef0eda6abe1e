import type { ContractDocument } from '../document/document.js';
import { ValidatorInstance, type ValidateAll } from './instance.js';
import { joinSlices } from './slice-document.js';
import { reachedComponents, type Slice } from './slice.js';

/**
 * How many slices share an instance of express-openapi-validator, which takes some time and memory of
 * its own; but it walks through all of its document for every slice that it compiles.
 */
const SLICES_PER_INSTANCE = 16;

/**
 * A slice that reaches more components than this shares its instance with all others that do. In a
 * contract with such slices nearly everything reaches everything, and it is compiled but once.
 */
const MAX_REACHED = 100;

interface Group {
  readonly slices: readonly Slice[];
  instance: ValidatorInstance | undefined;
}

/** Builds what validates the messages of slices, and the instances that it takes, when they are asked for. */
export class ValidatorInstances {
  readonly #groups = new Map<Slice, Group>();
  /** Of each group whose slices reach many components, the one that reaches most. */
  readonly #broadest: Slice[] = [];

  constructor(
    readonly document: ContractDocument,
    slices: ReadonlySet<Slice>,
  ) {
    for (const direction of ['request', 'response'] as const) {
      const ofDirection = [...slices].filter((slice) => slice.direction === direction);
      const reached = new Map(
        ofDirection.map((slice) => [slice, reachedComponents(document, [slice]).size]),
      );
      const sizeOf = (slice: Slice): number => reached.get(slice) ?? 0;
      const broad = ofDirection.filter((slice) => sizeOf(slice) > MAX_REACHED);
      this.#add(broad);
      this.#broadest.push(...broad.sort((one, other) => sizeOf(other) - sizeOf(one)).slice(0, 1));
      const others = ofDirection.filter((slice) => sizeOf(slice) <= MAX_REACHED);
      for (let from = 0; from < others.length; from += SLICES_PER_INSTANCE) {
        this.#add(others.slice(from, from + SLICES_PER_INSTANCE));
      }
    }
  }

  #add(slices: readonly Slice[]): void {
    const group: Group = { slices, instance: undefined };
    for (const slice of slices) this.#groups.set(slice, group);
  }

  /** Compiles what many slices share, which takes long: afterwards each of them takes some milliseconds. */
  async buildShared(): Promise<void> {
    for (const slice of this.#broadest) {
      const validateAll = await this.validatorOf(slice);
      await validateAll([]);
    }
  }

  /** Resolves with what validates a slice's messages. It compiles the slice when it is first called. */
  validatorOf(slice: Slice): Promise<ValidateAll> {
    const group = this.#groups.get(slice);
    if (group === undefined) throw new Error('the slice is not one of these instances');
    group.instance ??= new ValidatorInstance(
      joinSlices(this.document, group.slices),
      slice.direction,
      this.document.formats,
    );
    return group.instance.validatorOf(group.slices.indexOf(slice));
  }
}
