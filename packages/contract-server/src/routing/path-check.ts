import type { Operation } from '../operation/operation.js';
import { checkPathParameters, parsePathTemplate, type PathTemplate } from './path-template.js';
import { RouteTree } from './route-tree.js';

/**
 * Finds, at boot, the paths that can't be routed: malformed templates, two operations for the same
 * requests, and parameters that the template doesn't have.
 *
 * Templates that differ in nothing but the names of their parameters "MUST NOT exist as they are
 * identical" (OpenAPI 3.1 §4.8.8.1). Large contracts have such templates, each with other methods, and
 * then a request still matches one operation. So only two operations of one method are refused.
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
    const other = methods.get(method);
    if (other === undefined) methods.set(method, operation);
    else {
      problems.push(
        `${other.operationId} and ${operationId}: ${method} ${other.pathTemplate} and ` +
          `${method} ${pathTemplate} match the same requests`,
      );
    }
  }
}
