import { isObject, type ContractDocument, type Operation } from 'contract-server/contract';
import { camelCase, kebabCase, keyOf, quoted } from './source-text.js';

/** Operations that share a file: those of a tag, or of the first part of their paths. */
export interface OperationGroup {
  /** Without its ending. */
  readonly file: string;
  /** The function that makes its handlers. */
  readonly factory: string;
  readonly operations: readonly DescribedOperation[];
}

export interface DescribedOperation {
  readonly operation: Operation;
  readonly summary: string;
}

export function groupOperations(
  document: ContractDocument,
  operations: readonly Operation[],
): OperationGroup[] {
  const groups = new Map<string, DescribedOperation[]>();
  for (const operation of operations) {
    const { pathTemplate, method } = operation;
    const item: unknown = document.resolve(document.root.paths?.[pathTemplate]);
    const { additionalOperations: others } = isObject(item) ? item : {};
    const object: unknown =
      (isObject(others) ? others[method] : undefined) ??
      (isObject(item) ? item[method.toLowerCase()] : undefined);
    const { tags, summary, description } = isObject(object) ? object : {};
    const about = summary ?? description;
    const [tag] = Array.isArray(tags) ? (tags as unknown[]) : [];
    const name = typeof tag === 'string' ? tag : (pathTemplate.split('/')[1] ?? '');
    const file = kebabCase(name.replace(/\{.*/, ''));
    const [line = ''] = (typeof about === 'string' ? about : '').trim().split('\n');
    groups.set(file, [...(groups.get(file) ?? []), { operation, summary: line }]);
  }
  return [...groups].map(([file, described]) => ({
    file,
    factory: `${camelCase(file)}Handlers`,
    operations: described,
  }));
}

/** The handlers of one group, each of which answers from the contract. */
export function operationsSource({ factory, operations }: OperationGroup): string {
  const ids = operations.map(({ operation }) => quoted(operation.operationId));
  const handlers = operations.flatMap(({ operation, summary }) => {
    const { method, pathTemplate, operationId } = operation;
    const about = `\`${method} ${pathTemplate}\`${summary === '' ? '' : `: ${summary.replaceAll('*/', '* /')}`}`;
    return [
      `    /** ${about} */`,
      `    ${keyOf(operationId)}: mock(contract, ${quoted(operationId)}),`,
    ];
  });
  return `import type { ContractDocument } from 'contract-server';
import { mock } from 'contract-server/mock';
import type { HandlersOf } from '../api.js';

/** Until one is written, it answers from the contract's examples, or with values that are made. */
export function ${factory}(
  contract: ContractDocument,
): HandlersOf<
  ${ids.join(' | ')}
> {
  return {
${handlers.join('\n')}
  };
}
`;
}

/** All handlers together. */
export function handlersSource(groups: readonly OperationGroup[]): string {
  const imports = groups.map(
    ({ file, factory }) => `import { ${factory} } from './operations/${file}.js';`,
  );
  return `import type { ContractDocument } from 'contract-server';
import type { Handlers } from './api.js';
${imports.join('\n')}

/** One handler for each operation of the contract. */
export function createHandlers(contract: ContractDocument): Handlers {
  return {
${groups.map(({ factory }) => `    ...${factory}(contract),`).join('\n')}
  };
}
`;
}
