/** A contract with one of another's operations, and the components that it reaches. */
export function cutContract(root: object, operationId: string): object {
  const { paths, components, ...rest } = root as {
    paths: Record<string, Record<string, { operationId?: string }>>;
    components: Record<string, Record<string, unknown>>;
  };
  const cutPaths: Record<string, object> = {};
  for (const [path, item] of Object.entries(paths)) {
    const entry = Object.entries(item).find(
      ([, operation]) => operation.operationId === operationId,
    );
    if (entry !== undefined) cutPaths[path] = Object.fromEntries([entry]);
  }
  const cutComponents: Record<string, Record<string, unknown>> = {};
  const queue: unknown[] = [cutPaths];
  for (let value = queue.pop(); value !== undefined; value = queue.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const { $ref, ...members } = value as { $ref?: unknown };
    queue.push(...Object.values(members).filter((member) => member !== undefined));
    const [, section = '', name = ''] =
      /^#\/components\/([^/]+)\/([^/]+)$/.exec(String($ref)) ?? [];
    const component = components[section]?.[name];
    if (component === undefined || cutComponents[section]?.[name] !== undefined) continue;
    (cutComponents[section] ??= {})[name] = component;
    queue.push(component);
  }
  return { ...rest, paths: cutPaths, components: cutComponents };
}
