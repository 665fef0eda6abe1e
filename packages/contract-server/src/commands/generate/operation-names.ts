import ts from 'typescript';

/** Stands for a # in the name of an operation, where openapi-typescript would write a slash. */
const STAND_IN = '\0';

export function hideHashes(operationId: string): string {
  return operationId.replaceAll('#', STAND_IN);
}

/** Declarations with the names of their operations as the contract has them. */
export function showHashes(declarations: ts.Node[]): ts.Node[] {
  const { transformed } = ts.transform(declarations, [
    (context) => (declaration) => {
      const visit = (node: ts.Node): ts.Node =>
        ts.isStringLiteral(node) && node.text.includes(STAND_IN)
          ? context.factory.createStringLiteral(node.text.replaceAll(STAND_IN, '#'))
          : ts.visitEachChild(node, visit, context);
      return visit(declaration);
    },
  ]);
  return transformed;
}
