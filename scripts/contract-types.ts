import { readFile } from 'node:fs/promises';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { parse } from 'yaml';

/**
 * The TypeScript declarations of a contract: `paths`, `components` and `operations`. Members of
 * `format: int64` or `uint64` are `bigint`, because a `number` is exact only to 2^53.
 */
export async function contractTypes(contract: URL | string): Promise<string> {
  const text = typeof contract === 'string' ? contract : await readFile(contract, 'utf8');
  const declarations = await openapiTS(inlineHeaders(parse(text) as OpenAPI3), {
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

/** The generator takes every header behind a `$ref` for a required one; inline it sees `required`. */
function inlineHeaders(document: OpenAPI3): OpenAPI3 {
  const headers = document.components?.headers ?? {};
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (typeof value !== 'object' || value === null) return value;
    const ref = '$ref' in value && typeof value.$ref === 'string' ? value.$ref : '';
    const name = /^#\/components\/headers\/(.+)$/.exec(ref)?.[1];
    if (name !== undefined && headers[name] !== undefined) return headers[name];
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inline(member)]));
  };
  return inline(document) as OpenAPI3; // the same document but for the references
}
