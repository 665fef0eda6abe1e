import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const ENGINE = new URL('../src/', import.meta.url);
const TESTS = new URL('./', import.meta.url);

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const titles = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .flatMap((file) => [
    ...readFileSync(new URL(file, TESTS), 'utf8').matchAll(/^describe\('(.*)'/gm),
  ])
  .map(([, title]) => title);

describe('README.md', () => {
  const clauses = [...readme.matchAll(/^\| ((?:OpenAPI|RFC) .*?) +\|/gm)].map(
    ([, clause = '']) => clause,
  );

  it('lists what is supported', () => {
    expect(clauses.length).toBeGreaterThan(20);
  });

  it.each(clauses)('says that %s is supported, and tests of that name prove it', (clause) => {
    expect(titles).toContain(clause);
  });

  it('lists every clause that has tests', () => {
    const proven = titles.filter((title) => /^(OpenAPI|RFC) /.test(title ?? ''));

    expect(proven.filter((title) => !clauses.includes(title ?? ''))).toEqual([]);
  });

  it('names only files that exist', () => {
    const files = [...readme.matchAll(/`((?:\.\.\/)*[a-z/-]+\.ts)`/g)].map(([, file = '']) => file);

    expect(files.filter((file) => !existsSync(new URL(file, ENGINE)))).toEqual([]);
  });
});
