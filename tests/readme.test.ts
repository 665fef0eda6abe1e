import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { SETTINGS, TELEMETRY_SETTINGS } from '../src/config.js';
import { EngineCode, type Setting } from 'contract-server';
import { PlantCode } from '../src/plants/create-plant.js';

const ROOT = new URL('../', import.meta.url);
const DOCS = readdirSync(new URL('docs/', ROOT)).map((name) => `docs/${name}`);
const readme = textOf('README.md');
const { scripts } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
  scripts: Record<string, string>;
};

function textOf(file: string): string {
  return readFileSync(new URL(file, ROOT), 'utf8');
}

/** The rows of the tables of settings. */
function settingsIn(text: string): Record<string, string | undefined>[] {
  const rows = [...text.matchAll(/^\| `([A-Z_]+)` +\| (.*?) +\| (.*?) +\|$/gm)];
  return rows.map(([, variable, fallback, meaning]) => ({ variable, fallback, meaning }));
}

function inDocs({ variable, fallback, meaning }: Setting<unknown>): Record<string, string> {
  return { variable, fallback: fallback === '' ? '(empty)' : `\`${fallback}\``, meaning };
}

describe('README.md', () => {
  it('has the configuration as the code has it, but for telemetry’s', () => {
    const telemetrys = Object.values<Setting<unknown>>(TELEMETRY_SETTINGS);
    const others = Object.values<Setting<unknown>>(SETTINGS).filter(
      (setting) => !telemetrys.includes(setting),
    );

    expect(settingsIn(readme)).toEqual(others.map(inDocs));
  });
});

describe('docs/telemetry.md', () => {
  it('has its settings as the code has them', () => {
    expect(settingsIn(textOf('docs/telemetry.md'))).toEqual(
      Object.values<Setting<unknown>>(TELEMETRY_SETTINGS).map(inDocs),
    );
  });
});

describe('docs/errors.md', () => {
  const [ofService = '', ofProxies = ''] = textOf('docs/errors.md').split(
    '\n## Errors of a proxy\n',
  );
  const codesIn = (text: string): number[] =>
    [...text.matchAll(/^\| (\d{5}) +\|/gm)].map(([, code]) => Number(code));

  it('has every error code, and no other', () => {
    expect(codesIn(ofService)).toEqual(
      [...Object.values(EngineCode), ...Object.values(PlantCode)].sort((a, b) => a - b),
    );
  });

  it('has every error code of the proxies, and which of them say it', () => {
    const files = {
      nginx: 'nginx/plant-store.conf',
      HAProxy: 'haproxy/haproxy.cfg',
      Caddy: 'caddy/Caddyfile',
    };
    const said = Object.values(files).map((file) =>
      [...textOf(`deploy/${file}`).matchAll(/(?:"error":|^\t+\d{3} )(\d{5})/gm)].map(
        ([, code = '']) => code,
      ),
    );
    const codes = [...new Set(said.flat())].sort();
    const rows = codes
      .filter((code) => !codesIn(ofService).includes(Number(code)))
      .map((code) => [code, ...said.map((ofOne) => (ofOne.includes(code) ? 'yes' : ''))]);

    const cells = [...ofProxies.matchAll(/^\| (\d{5}) .*$/gm)].map(([row]) => row.split(/ *\| */));
    expect(cells.map(([, code, , , ...saying]) => [code, ...saying.slice(0, 3)])).toEqual(rows);
  });
});

describe('docs/how-it-works.md', () => {
  it('names only files that exist in its picture of a request', () => {
    const picture = textOf('docs/how-it-works.md');
    const files = [...picture.matchAll(/^ *│? *((?:contract-server|plants)\/[a-z/-]+\.ts)/gm)];

    expect(files.length).toBeGreaterThan(8);
    expect(
      files
        .map(([, file = '']) => file)
        .map((file) => file.replace(/^contract-server/, '../packages/contract-server/src'))
        .filter((file) => !existsSync(new URL(`src/${file}`, ROOT))),
    ).toEqual([]);
  });

  it('names only files that exist in its text', () => {
    const text = textOf('docs/how-it-works.md');
    const files = [...text.matchAll(/`([a-z/-]+\.ts|[a-z]+\/)`/g)].map(([, file = '']) => file);
    const engine = 'packages/contract-server/src/';
    const folders = ['', 'src/', engine, `${engine}message/`];

    expect(files.length).toBeGreaterThan(30);
    expect(
      files.filter((file) => !folders.some((folder) => existsSync(new URL(folder + file, ROOT)))),
    ).toEqual([]);
  });
});

describe.each(['README.md', ...DOCS])('%s', (name) => {
  const text = textOf(name);

  it('names only files that exist', () => {
    const files = [
      ...text.matchAll(/`((?:src|api|packages|scripts|tests|generated|deploy)\/[^`\s]*)`/g),
    ];

    expect(
      files.map(([, file = '']) => file).filter((file) => !existsSync(new URL(file, ROOT))),
    ).toEqual([]);
  });

  it('has only links that lead somewhere', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = '']) => link);

    expect(links.filter((link) => !existsSync(new URL(link, new URL(name, ROOT))))).toEqual([]);
  });

  it('names only npm scripts that exist', () => {
    const names = [...text.matchAll(/npm run (?:--silent )?([a-z:-]+)/g)].map(
      ([, name = '']) => name,
    );

    expect(names.filter((name) => scripts[name] === undefined)).toEqual([]);
  });
});
