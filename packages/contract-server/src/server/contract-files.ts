import { Router } from 'express';
import type { ContractDocument } from '../document/document.js';
import { publishContract } from '../document/publish.js';
import { createFileHandler } from './file-handler.js';

/** Any page may read the contract; a client asks each time whether its own is still the newest. */
const HEADERS = { 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'no-cache' };

/**
 * `GET /openapi.json` and `GET /openapi.yaml`: the contract, below the path that the operations are
 * mounted at. Both stand outside the contract and need no token.
 *
 * The server that they name is a path alone, which is relative to where the document was read
 * (OpenAPI 3.1.0 §4.8.5). So the answer has nothing of the request in it, and a cache can't be made to keep
 * one that leads to another host.
 */
export async function createContractFiles(
  document: ContractDocument,
  basePath: string,
): Promise<Router> {
  const { json, yaml } = await publishContract(document, basePath === '' ? '/' : basePath);
  // Not application/openapi+json and +yaml, which aren't registered yet, and which few tools know.
  const files = [
    ['/openapi.json', 'application/json', json],
    ['/openapi.yaml', 'application/yaml', yaml],
  ] as const;
  const router = Router({ caseSensitive: true, strict: true });
  for (const [path, mediaType, text] of files) {
    router.all(path, createFileHandler(text, { ...HEADERS, 'Content-Type': mediaType }));
  }
  return router;
}
