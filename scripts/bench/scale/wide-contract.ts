import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';

interface Contract {
  paths: Record<string, { post?: { operationId: string } }>;
  components: { schemas: Record<string, unknown> };
}

/**
 * Writes our contract with so many operations: copies of createPlant, each at a path of its own and
 * with schemas of its own. The one that is measured comes last, where a search in order finds it.
 */
export function writeWideContract(file: string, operations: number): void {
  const contract = parse(readFileSync('api/openapi.yaml', 'utf8')) as Contract; // as its checks have it
  const { components, paths: all, ...rest } = contract;
  const paths = Object.fromEntries(
    Object.entries(all).filter(([, { post }]) => post?.operationId === 'createPlant'),
  );
  const wide: Contract = { paths: {}, components: { ...components, schemas: {} } };
  for (let copy = 1; copy < operations; copy++) {
    const renamed = rename({ paths, schemas: components.schemas }, copy);
    Object.assign(wide.paths, renamed.paths);
    Object.assign(wide.components.schemas, renamed.schemas);
  }
  Object.assign(wide.paths, paths);
  Object.assign(wide.components.schemas, components.schemas);
  writeFileSync(file, JSON.stringify({ ...rest, ...wide }));
}

/** The same under other names, but for the Error, which all operations share. */
function rename<Part extends object>(part: Part, copy: number): Part {
  const text = JSON.stringify(part)
    .replaceAll('"/plants"', `"/plants-${copy}"`)
    .replaceAll('"createPlant"', `"createPlant${copy}"`)
    .replace(/("|schemas\/)(Plant|NewPlant)"/g, `$1$2${copy}"`);
  return JSON.parse(text) as Part; // only names differ
}
