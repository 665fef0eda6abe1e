import type { Conjunction } from './conjunction.js';
import type { Difference } from './difference.js';
import type { FlatSchema } from './flat-schema.js';

/** Compares two schemas; what a comparison of their parts is done with, too. */
export type Compare = (old: Conjunction, now: Conjunction) => readonly Difference[];

/** Compares what two schemas say, beside their alternatives. */
export type CompareFlat = (old: FlatSchema, now: FlatSchema) => Difference[];
