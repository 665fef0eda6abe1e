/**
 * Names the operations of a contract: by their operationIds, or by method and path, `GET /rooms/{roomId}`,
 * where one has none, or shares it with another.
 */
export function nameOperations<
  Operation extends { readonly operationId: unknown; readonly method: string },
>(
  operations: readonly Operation[],
  pathOf: (operation: Operation) => string,
): (Operation & { readonly operationId: string })[] {
  const counts = new Map<unknown, number>();
  for (const { operationId } of operations) {
    counts.set(operationId, (counts.get(operationId) ?? 0) + 1);
  }
  return operations.map((operation) => {
    const { operationId, method } = operation;
    const isOwn = typeof operationId === 'string' && counts.get(operationId) === 1;
    return { ...operation, operationId: isOwn ? operationId : `${method} ${pathOf(operation)}` };
  });
}
