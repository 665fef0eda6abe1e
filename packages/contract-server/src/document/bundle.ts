import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { $RefParser, JSONParserErrorGroup } from '@apidevtools/json-schema-ref-parser';
import { findPointer, pointer } from '../json/pointer.js';
import { ContractError } from './contract-error.js';
import { isReference } from './document.js';
import { parseSource } from './source-text.js';

/** Whether a contract is in more files than one. */
export function hasOtherFiles(value: unknown): boolean {
  return (
    findPointer(value, (part) => isReference(part) && !part.$ref.startsWith('#')) !== undefined
  );
}

/**
 * Brings a contract's other files into it: every `$ref` then leads to somewhere in the document.
 * Files only: a contract that is fetched is another one tomorrow.
 * @throws ContractError with every reference that leads to no file, or to nothing in it
 */
export async function bundleFiles(
  path: string,
  root: object,
  locate: (pointer: string) => Promise<string>,
): Promise<unknown> {
  try {
    return await new $RefParser().bundle(resolve(path), root, {
      continueOnError: true,
      resolve: { http: false },
      parse: {
        json: false,
        text: false,
        binary: false,
        yaml: {
          order: 1,
          canParse: true,
          parse: ({ data, url }: { data: unknown; url: string }) =>
            parseSource(String(data), relative(dirname(resolve(path)), toPath(url))),
        },
      },
    });
  } catch (error) {
    const errors = error instanceof JSONParserErrorGroup ? error.errors : [error];
    const problems = errors.map(
      async (one) => `${await locate(placeOf(one))}${describe(one, path)}`,
    );
    throw new ContractError([...new Set(await Promise.all(problems))]);
  }
}

function describe(error: unknown, path: string): string {
  const { message, source } = error as { message: string; source?: string };
  const file = source === undefined ? '' : relative(dirname(resolve(path)), toPath(source));
  // The library's messages have the contract's folder in front of every path.
  return `${file}: ${message.replaceAll(`${dirname(resolve(path))}/`, '')}`;
}

/** Where the reference stands that leads nowhere; empty for another kind of error. */
function placeOf(error: unknown): string {
  const { path } = error as { path?: unknown };
  return Array.isArray(path) ? pointer(path.map(String)) : '';
}

function toPath(url: string): string {
  return url.startsWith('file:') ? fileURLToPath(url) : decodeURIComponent(url);
}
