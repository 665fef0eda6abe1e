import type { Direction } from '../../schema/direction.js';

/** One difference between two contracts, as those meet it who call one operation. */
export interface Effect {
  readonly breaks: boolean;
  /** Which of the two kinds of message it is in; left out where it is in neither. */
  readonly direction?: Direction;
  /** `request body /properties/id`: which part of the operation, and a JSON Pointer into its schema. */
  readonly location: string;
  /** The JSON Pointer of what has changed, where both contracts have it at one place. */
  readonly definition?: string | undefined;
  readonly what: string;
  readonly why: string;
}

/** An operation, as a report names it. */
export interface OperationName {
  readonly operationId: string;
  /** `POST /bookings`; empty for a webhook, which has its name in the location. */
  readonly route: string;
  /** Its JSON Pointer. */
  readonly place: string;
}

export type OperationEffect = Effect & { readonly operation: OperationName };

export type Effects = readonly [OperationEffect, ...OperationEffect[]];

/** One difference between two contracts, wherever it is met. */
export interface Change {
  /** Whether it breaks the clients of any operation. */
  readonly breaks: boolean;
  readonly what: string;
  /** The JSON Pointer of what has changed; undefined where it is one operation's own. */
  readonly definition: string | undefined;
  readonly effects: Effects;
}
