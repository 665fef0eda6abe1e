/** One difference between two contracts, as a client sees it. */
export interface Change {
  readonly breaks: boolean;
  /** `POST /bookings`; empty where it is about the whole contract. */
  readonly operation: string;
  /** `request body /properties/id`: which part of the operation, and a JSON Pointer into its schema. */
  readonly location: string;
  readonly what: string;
  readonly why: string;
}

/** A change whose operation is added by those who know it. */
export type OperationChange = Omit<Change, 'operation'>;
