import type { ContractProblem } from '../document/contract-error.js';
import type { Operation } from '../operation/operation.js';
import { checkPathParameters, parsePathTemplate } from './path-template.js';
import { RouteTree } from './route-tree.js';

/**
 * Finds, at boot, the paths that can't be routed: malformed templates, two operations for the same
 * requests, and parameters that the template doesn't have. `report` gets each with its operation; of two
 * for the same requests, the later one.
 *
 * Templates that differ in nothing but the names of their parameters "MUST NOT exist as they are
 * identical" (OpenAPI 3.1 §4.8.8.1). Large contracts have such templates, each with other methods, and
 * then a request still matches one operation. So only two operations of one method are refused.
 */
export function checkPaths(
  operations: readonly Operation[],
  report: (operation: Operation, problem: ContractProblem) => void,
): void {
  const routes = new RouteTree<Map<string, Operation>>();
  for (const operation of operations) {
    const { method, operationId, pathTemplate } = operation;
    const template = parsePathTemplate(pathTemplate, (what) => {
      report(operation, { place: `path ${pathTemplate}`, what });
    });
    if (template === undefined) continue;
    checkPathParameters(template, operation, (what) => {
      report(operation, { place: operationId, what });
    });
    const methods = routes.valueAt(template, () => new Map<string, Operation>());
    const other = methods.get(method);
    if (other === undefined) methods.set(method, operation);
    else {
      const place =
        `${other.operationId} and ${operationId}: ${method} ${other.pathTemplate} and ` +
        `${method} ${pathTemplate}`;
      report(operation, { place, what: 'match the same requests' });
    }
  }
}
