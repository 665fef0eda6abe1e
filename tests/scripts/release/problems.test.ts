import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { releaseProblems, type ReadFile } from '../../../scripts/release/problems.js';

const ROOT = new URL('../../../', import.meta.url);
const packages = readdirSync(new URL('packages', ROOT));
const read: ReadFile = (path) => readFileSync(new URL(path, ROOT), 'utf8');

/** The repository with another text in one of its files. */
function readWith(changed: string, from: string | RegExp, to: string): ReadFile {
  return (path) => (path === changed ? read(path).replace(from, to) : read(path));
}

it('finds one version in all files of the repository', () => {
  expect(releaseProblems(read, { packages, isFinal: false })).toEqual([]);
});

it.each([
  ['packages/contract-server/package.json', /"version": "[^"]+"/, '"version": "9.0.0"'],
  ['package.json', /"contract-testing": "[^"]+"/, '"contract-testing": "9.0.0"'],
  ['packages/contract-testing/CHANGELOG.md', /^## \S+/m, '## 9.0.0'],
  ['api/openapi.yaml', /^ {2}version: \S+/m, '  version: 9.0.0'],
  ['deploy/compose.yaml', /plant-store:\S+/, 'plant-store:9.0.0'],
])('refuses another version in %s', (path, from, to) => {
  const [problem, ...others] = releaseProblems(readWith(path, from, to), {
    packages,
    isFinal: false,
  });

  expect(problem).toContain(path);
  expect(problem).toContain('is 9.0.0, not ');
  expect(others).toEqual([]);
});

it('refuses to publish what a changelog calls unreleased', () => {
  const unreleased = readWith('CHANGELOG.md', /^## (\S+) \(.*\)$/m, '## $1 (unreleased)');

  expect(releaseProblems(unreleased, { packages, isFinal: true })).toContainEqual(
    expect.stringMatching(/^CHANGELOG.md calls \S+ unreleased/),
  );
});
