import type { Operation } from '../operation/operation.js';
import { checkPathParameters, parsePathTemplate, type PathTemplate } from './path-template.js';
import { RouteTree } from './route-tree.js';

/**
 * Finds, at boot, the paths that can't be routed: templates that aren't any, two operations for the
 * same requests, and parameters that aren't those of the template.
 *
 * Templates that differ in nothing but the names of their parameters "MUST NOT exist as they are
 * identical" (OpenAPI 3.1 §4.8.8.1). Large contracts have them all the same, with other methods in
 * each, and then there is no doubt about what a request means; so it is the operations that must differ.
 */
export function checkPaths(operations: readonly Operation[], problems: string[]): void {
  const routes = new RouteTree<Map<string, Operation>>();
  const templates = new Map<string, PathTemplate | undefined>();
  for (const operation of operations) {
    const { method, operationId, pathTemplate } = operation;
    if (!templates.has(pathTemplate)) {
      templates.set(pathTemplate, parsePathTemplate(pathTemplate, problems));
    }
    const template = templates.get(pathTemplate);
    if (template === undefined) continue;
    checkPathParameters(template, operation, problems);
    const methods = routes.valueAt(template, () => new Map<string, Operation>());
    const twin = methods.get(method);
    if (twin === undefined) methods.set(method, operation);
    else {
      problems.push(
        `${twin.operationId} and ${operationId}: ${method} ${twin.pathTemplate} and ` +
          `${method} ${pathTemplate} match the same requests`,
      );
    }
  }
}
