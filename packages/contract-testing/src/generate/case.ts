import type { Operation } from './operation.js';
import type { Meaning, TestRequest } from './request.js';

/** A request and what the contract says of its answer. */
export interface Case {
  /** What is broken; `nothing` where the request is valid. */
  readonly broken: string;
  readonly request: TestRequest;
  /** One of these statuses, as declared for the operation or, without one, for unmatched requests. */
  readonly statuses: readonly number[];
  readonly operation: Operation | undefined;
  /** Of a valid request: what its handler is to get. */
  readonly meaning?: Meaning;
  /**
   * Where the handler may read a body of items already when it learns what is broken: the number of the
   * item that is. It has got those before it then, and gets no other.
   */
  readonly midStream?: { readonly item?: number };
  /** What `Allow` must say. */
  readonly allow?: readonly string[];
}

/** A way to break a valid request, not yet gone. */
export interface Way {
  readonly broken: string;
  /** Undefined where the request turns out to be valid after all. */
  readonly make: () => Omit<Case, 'broken'> | undefined;
}
