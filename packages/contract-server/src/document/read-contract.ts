import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { hasBigint, mapNumbers } from '../json/numbers.js';
import { stepsOf, stepsOfFragment } from '../json/pointer.js';
import { bundleFiles, hasOtherFiles } from './bundle.js';
import { ContractError } from './contract-error.js';
import { ContractDocument, isObject, type Locate, type OpenApiObject } from './document.js';
import { spellOutReferences } from './openapi-3.2.js';
import { locate, parseSource } from './source-text.js';

/** Compiles the schema of an OpenAPI version when it is first asked for. */
const openApiSchemas = new Validator();

/**
 * Reads a contract, YAML or JSON, with the files that it refers to, and checks it against the schema
 * of its OpenAPI version.
 * @throws ContractError with everything that is wrong with it, and where
 */
export async function readContract(path: string): Promise<ContractDocument> {
  const root = spellOut(parseSource(await readFile(path, 'utf8'), basename(path)));
  if (!isObject(root) || !hasOtherFiles(root)) return checkContract(root, locateIn(path), path);
  return checkContract(await bundleFiles(path, root, locateIn(path)), locateIn(path));
}

/** @throws ContractError with everything that is wrong with it */
export function parseContract(value: unknown): Promise<ContractDocument> {
  return checkContract(spellOut(value), () => Promise.resolve(''));
}

function spellOut(root: unknown): unknown {
  return isObject(root) && String(root.openapi).startsWith('3.2.')
    ? spellOutReferences(root)
    : root;
}

async function checkContract(
  value: unknown,
  locate: Locate,
  file?: string,
): Promise<ContractDocument> {
  if (isObject(value) && value.swagger !== undefined) {
    throw new ContractError([
      `/swagger: ${JSON.stringify(value.swagger)} is not supported; OpenAPI 3.0.x, 3.1.x and 3.2.x are`,
    ]);
  }
  const version = isObject(value) ? value.openapi : undefined;
  if (!isObject(value) || typeof version !== 'string' || !/^3\.[012]\.\d+$/.test(version)) {
    throw new ContractError([
      `/openapi: ${JSON.stringify(version)} is not supported; 3.0.x, 3.1.x and 3.2.x are`,
    ]);
  }
  // The schema of OpenAPI knows no bigint, which a bound of an int64 may be.
  const checked = hasBigint(value) ? mapNumbers(value, Number) : { ...value };
  const { errors } = await openApiSchemas.validate(checked as Record<string, unknown>);
  // Errors that are no list are about references, and the library takes every member named $ref for
  // one. References that operations reach are checked with their schemas.
  if (Array.isArray(errors)) throw new ContractError(await describe(errors, locate));
  return new ContractDocument(value as unknown as OpenApiObject, locate, file); // the schema of OpenAPI has just said so
}

interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message?: string;
  readonly params?: { readonly missingProperty?: string };
}

async function describe(errors: readonly SchemaError[], locate: Locate): Promise<string[]> {
  const problems = new Set<string>();
  for (const { instancePath, message } of withoutNoise(errors)) {
    const where = instancePath === '' ? 'the document' : instancePath;
    problems.add(`${await locate(instancePath)}${where}: ${message ?? 'is not valid'}`);
  }
  return [...problems];
}

/** Leaves out that an object isn't a reference either, where an object or a reference may stand. */
function withoutNoise(errors: readonly SchemaError[]): readonly SchemaError[] {
  const telling = errors.filter(
    ({ keyword, params }) =>
      !['oneOf', 'anyOf', 'if'].includes(keyword) && params?.missingProperty !== '$ref',
  );
  return telling.length > 0 ? telling : errors;
}

function locateIn(path: string): Locate {
  return async (pointer) => {
    let file = path;
    let steps = stepsOf(pointer);
    // Follows the references on the way; bounded, since they may lead in a circle.
    for (let hops = 0; hops < 100; hops++) {
      const located = locate(await readFile(file, 'utf8'), steps);
      if (located === undefined) return '';
      const { line, column, elsewhere } = located;
      if (elsewhere === undefined) return `${relative(dirname(path), file)}:${line}:${column} `;
      const [otherFile = '', fragment = ''] = elsewhere.ref.split('#');
      file = otherFile === '' ? file : join(dirname(file), decodeURIComponent(otherFile));
      steps = [...stepsOfFragment(fragment), ...elsewhere.steps];
    }
    return '';
  };
}
