import type { JsonValue } from 'contract-server/json';
import type { components } from '../../generated/openapi.js';

export type NewPlant = components['schemas']['NewPlant'];

/** What stands in a row, right or wrong. */
export type Members = Partial<Record<'id' | 'name' | 'tag', JsonValue>>;

/** One row of the file: a plant, or what is wrong with it. */
export type Row = {
  /** Where it begins, counted from 1. */
  readonly line: number;
  /** Where in the file it ends. */
  readonly endByte: number;
} & (
  | { readonly plant: NewPlant }
  | { readonly plant: undefined; readonly problem: string; readonly members: Members }
);
