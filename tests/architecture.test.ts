import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const SRC = new URL('../src/', import.meta.url).pathname;

/** What each part of src/ may import from the others; `.` is the files beside the folders. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  auth: [],
  plants: ['contract', 'api.ts'],
  server: ['contract'],
  'api.ts': ['contract', 'auth'],
  'config.ts': [],
  'app.ts': ['api.ts', 'auth', 'config.ts', 'contract', 'plants', 'server'],
  'start.ts': ['app.ts', 'auth', 'config.ts', 'contract', 'plants', 'server'],
  'runtime.ts': [],
  'main.ts': ['runtime.ts', 'start.ts'],
};

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
);

/** The files of src/ that a file imports. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(SRC, file), 'utf8');
  return [...text.matchAll(/from '(\.[^']+)\.js'/g)]
    .map(([, path = '']) => relative('.', join(dirname(file), `${path}.ts`)))
    .filter((path) => !path.startsWith('..'));
}

function partOf(file: string): string {
  return file.split('/')[0] ?? file;
}

describe('src/', () => {
  it.each(files)('%s imports only what its part may', (file) => {
    const part = partOf(file);
    const others = importsOf(file)
      .map(partOf)
      .filter((other) => other !== part);

    expect(others.filter((other) => !MAY_IMPORT[part]?.includes(other))).toEqual([]);
  });

  it.each(files.filter((file) => partOf(file) !== 'contract'))(
    '%s uses the engine by its public surface',
    (file) => {
      const inside = importsOf(file).filter((path) => path.startsWith('contract/'));

      expect(inside.filter((path) => path !== 'contract/index.ts')).toEqual([]);
    },
  );

  it('has no cycle', () => {
    const finished = new Set<string>();
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) throw new Error([...path, file].join(' -> '));
      if (finished.has(file)) return;
      for (const next of importsOf(file)) visit(next, [...path, file]);
      finished.add(file);
    };

    for (const file of files) visit(file, []);

    expect(finished.size).toBe(files.length);
  });

  it.each(files)('%s has at most 200 lines', (file) => {
    expect(readFileSync(join(SRC, file), 'utf8').split('\n').length).toBeLessThanOrEqual(201);
  });

  it.each(files.filter((file) => partOf(file) === 'contract'))('%s knows no plant', (file) => {
    expect(readFileSync(join(SRC, file), 'utf8')).not.toMatch(/plant/i);
  });
});
