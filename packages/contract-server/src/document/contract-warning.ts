/** Something in the contract that the service doesn't enforce, or enforces in another way. */
export interface ContractWarning {
  readonly operationIds: readonly string[];
  /** Its place in the contract: a JSON Pointer. */
  readonly pointer: string;
  readonly what: string;
}

/** All warnings of one kind, in a line. */
export interface WarningSummary {
  readonly what: string;
  /** How many operations it is about. */
  readonly operations: number;
  /** The first places: JSON Pointers, or operationIds where none is known. */
  readonly first: readonly string[];
}

const FIRST = 3;

/** One summary for each reason, the one with the most operations first: a large contract has thousands of places. */
export function summarizeWarnings(warnings: readonly ContractWarning[]): WarningSummary[] {
  const reasons = new Map<string, { ids: Set<string>; places: Set<string> }>();
  for (const { what, operationIds, pointer } of warnings) {
    const reason = reasons.get(what) ?? { ids: new Set(), places: new Set() };
    for (const id of operationIds) reason.ids.add(id);
    for (const place of pointer === '' ? operationIds : [pointer]) reason.places.add(place);
    reasons.set(what, reason);
  }
  return [...reasons]
    .map(([what, { ids, places }]) => ({
      what,
      operations: ids.size,
      first: [...places].slice(0, FIRST),
    }))
    .sort((a, b) => b.operations - a.operations);
}
