import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = new URL('../', import.meta.url).pathname;

/** What each part of src/ may import from the others; the packages any of them may. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  plants: ['api.ts', 'database-url.ts'],
  'api.ts': [],
  'database-url.ts': [],
  'config.ts': ['database-url.ts'],
  'app.ts': ['api.ts', 'plants'],
  'open-store.ts': ['config.ts', 'plants'],
  'start.ts': ['app.ts', 'config.ts', 'open-store.ts', 'plants'],
  'runtime.ts': [],
  'main.ts': ['runtime.ts', 'start.ts'],
};
const PACKAGES = readdirSync(join(ROOT, 'packages'));
const TREES = ['src', 'scripts', ...PACKAGES.map((name) => `packages/${name}/src`)];

interface Import {
  /** As it is written. */
  readonly specifier: string;
  /** The file from the root, of a relative one. */
  readonly file: string | undefined;
}

/** The TypeScript files below a folder, from the root. */
function filesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/(^|\/)(node_modules|dist)\//.test(file))
    .map((file) => join(folder, file));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(/(?:from|import\() ?'([^']+)'/g)].map(([, specifier = '']) => ({
    specifier,
    file: specifier.startsWith('.')
      ? relative('.', join(dirname(file), specifier.replace(/\.js$/, '.ts')))
      : undefined,
  }));
}

/** The packages of the workspace that stand in a path, or the service itself. */
function ownerOf(file: string): string {
  const [folder, name = ''] = file.split('/');
  return folder === 'packages' ? name : 'the service';
}

describe('src/', () => {
  it.each(filesOf('src'))('%s imports only what its part may', (file) => {
    const partOf = (path: string): string => path.split('/')[1] ?? path;
    const others = importsOf(file)
      .flatMap((imported) => imported.file ?? [])
      .filter((path) => path.startsWith('src/'))
      .map(partOf)
      .filter((other) => other !== partOf(file));

    expect(others.filter((other) => !MAY_IMPORT[partOf(file)]?.includes(other))).toEqual([]);
  });
});

describe('a package', () => {
  const everything = ['src', 'scripts', 'tests', ...PACKAGES.map((name) => `packages/${name}`)];

  it.each(everything.flatMap(filesOf))('is entered by its name alone: %s', (file) => {
    const inside = importsOf(file).filter(
      (imported) => imported.file !== undefined && ownerOf(imported.file) !== ownerOf(file),
    );

    expect(inside).toEqual([]);
  });

  it.each(PACKAGES.flatMap((name) => filesOf(`packages/${name}/src`)))(
    'knows no plant: %s',
    (file) => {
      expect(readFileSync(join(ROOT, file), 'utf8')).not.toMatch(/plant/i);
    },
  );
});

describe.each(TREES)('%s', (tree) => {
  const files = filesOf(tree);
  const fileOf = new Set(files);
  const edges = files.flatMap((from) =>
    importsOf(from).flatMap(({ file }) =>
      file !== undefined && fileOf.has(file) ? [[from, file] as const] : [],
    ),
  );

  it('has no files that import each other in a circle', () => {
    expect(circleIn(edges)).toBeUndefined();
  });

  it('has no folders that import each other in a circle', () => {
    // Of the files beside the folders each is a part of its own.
    const partOf = (file: string): string => (dirname(file) === tree ? file : dirname(file));
    const between = edges
      .map(([from, to]) => [partOf(from), partOf(to)] as const)
      .filter(([from, to]) => from !== to);

    expect(circleIn(between)).toBeUndefined();
  });

  it.each(files)('%s has at most 200 lines', (file) => {
    expect(readFileSync(join(ROOT, file), 'utf8').split('\n').length).toBeLessThanOrEqual(201);
  });
});

/** The first circle there is, as a text. */
function circleIn(edges: readonly (readonly [string, string])[]): string | undefined {
  const next = new Map<string, Set<string>>();
  for (const [from, to] of edges) next.set(from, (next.get(from) ?? new Set()).add(to));
  const finished = new Set<string>();
  const visit = (node: string, path: readonly string[]): string | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node].join(' -> ');
    if (finished.has(node)) return undefined;
    for (const other of next.get(node) ?? []) {
      const circle = visit(other, [...path, node]);
      if (circle !== undefined) return circle;
    }
    finished.add(node);
    return undefined;
  };
  for (const node of next.keys()) {
    const circle = visit(node, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}
