import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { SETTINGS } from '../src/config.js';
import { EngineCode } from 'contract-server';
import { PlantCode } from '../src/plants/plant-code.js';

const ROOT = new URL('../', import.meta.url);
const readme = readFileSync(new URL('README.md', ROOT), 'utf8');
const { scripts } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
  scripts: Record<string, string>;
};

describe('README.md', () => {
  it('has the configuration as the code has it', () => {
    const rows = [...readme.matchAll(/^\| `([A-Z_]+)` +\| (.*?) +\| (.*?) +\|$/gm)];

    expect(
      rows.map(([, variable, fallback, meaning]) => ({ variable, fallback, meaning })),
    ).toEqual(
      Object.values(SETTINGS).map(({ variable, fallback, meaning }) => ({
        variable,
        fallback: fallback === '' ? '(empty)' : `\`${fallback}\``,
        meaning,
      })),
    );
  });

  it('has every error code, and no other', () => {
    const codes = [...readme.matchAll(/^\| (\d{5}) +\|/gm)].map(([, code]) => Number(code));

    expect(codes).toEqual(
      [...Object.values(EngineCode), ...Object.values(PlantCode)].sort((a, b) => a - b),
    );
  });

  it('names only files that exist', () => {
    const files = [...readme.matchAll(/`((?:src|api|scripts|tests|generated|deploy)\/[^`\s]*)`/g)];

    expect(
      files.map(([, file = '']) => file).filter((file) => !existsSync(new URL(file, ROOT))),
    ).toEqual([]);
  });

  it('names only files of src/ that exist in its picture of a request', () => {
    const files = [...readme.matchAll(/^ *│? *((?:contract-server|plants)\/[a-z/-]+\.ts)/gm)];

    expect(files.length).toBeGreaterThan(8);
    expect(
      files
        .map(([, file = '']) => file)
        .map((file) => file.replace(/^contract-server/, '../packages/contract-server/src'))
        .filter((file) => !existsSync(new URL(`src/${file}`, ROOT))),
    ).toEqual([]);
  });

  it('names only npm scripts that exist', () => {
    const names = [...readme.matchAll(/npm run (?:--silent )?([a-z:-]+)/g)].map(
      ([, name = '']) => name,
    );

    expect(names.filter((name) => scripts[name] === undefined)).toEqual([]);
  });
});
