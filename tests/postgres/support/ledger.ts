import type { StoredPlant } from '../../support/database.js';

/** What was sent, by id and name; plants of the tests have no tags. */
export interface Sent {
  readonly id: bigint;
  readonly name: string;
}

/** What the answers of a run come to, beside what is stored in the end. */
export interface Verdict {
  /** Answered 200, and not there. */
  readonly lost: Sent[];
  /** Answered 200, and another plant is there. */
  readonly changed: Sent[];
  /** Answered 409, and no plant is there, or the very same. */
  readonly wrongConflicts: Sent[];
}

/** Keeps what was answered, to be held against what is stored. */
export interface Ledger {
  readonly acknowledged: number;
  readonly conflicts: number;
  /** Answers that say nothing for good, by status; 0 where the connection broke. */
  readonly others: ReadonlyMap<number, number>;
  /** Whether the answer is for good: 200 or 409. */
  note(sent: Sent, status: number): boolean;
  judge(stored: readonly StoredPlant[]): Verdict;
}

export function createLedger(): Ledger {
  const acknowledged: Sent[] = [];
  const refused: Sent[] = [];
  const others = new Map<number, number>();
  return {
    get acknowledged() {
      return acknowledged.length;
    },
    get conflicts() {
      return refused.length;
    },
    others,
    note(sent, status) {
      if (status === 200) acknowledged.push(sent);
      else if (status === 409) refused.push(sent);
      else others.set(status, (others.get(status) ?? 0) + 1);
      return status === 200 || status === 409;
    },
    judge(stored) {
      const names = new Map(stored.map(({ id, name }) => [id, name]));
      return {
        lost: acknowledged.filter(({ id }) => !names.has(id)),
        changed: acknowledged.filter(({ id, name }) => (names.get(id) ?? name) !== name),
        wrongConflicts: refused.filter(({ id, name }) => (names.get(id) ?? name) === name),
      };
    },
  };
}

export const FLAWLESS: Verdict = { lost: [], changed: [], wrongConflicts: [] };
