import { readFile } from 'node:fs/promises';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { parse } from 'yaml';
import { generatorInput, type ContractDocument } from './generator-input.js';

/**
 * The TypeScript declarations of a contract: `paths`, `components` and `operations`. Members of
 * `format: int64` or `uint64` are `bigint`, because a `number` is exact only to 2^53.
 */
export async function contractTypes(contract: URL | string): Promise<string> {
  const text = typeof contract === 'string' ? contract : await readFile(contract, 'utf8');
  const input = generatorInput(parse(text) as ContractDocument);
  const declarations = await openapiTS(input as OpenAPI3, {
    // An object of which nothing is said may have any member.
    emptyObjectsUnknown: true,
    transform: (schema) => {
      if (schema.format !== 'int64' && schema.format !== 'uint64') return undefined;
      const bigint = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword);
      const nullable =
        ('nullable' in schema && schema.nullable) ||
        (Array.isArray(schema.type) && schema.type.includes('null'));
      return nullable
        ? ts.factory.createUnionTypeNode([
            bigint,
            ts.factory.createLiteralTypeNode(ts.factory.createNull()),
          ])
        : bigint;
    },
  });
  return `// Written by "npm run generate" from api/openapi.yaml. Don't edit: edit the contract.\n\n${astToString(declarations)}`;
}
