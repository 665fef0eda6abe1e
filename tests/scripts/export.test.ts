import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { query, storedPlants } from '../support/database.js';
import { serveTestApp } from '../support/served-app.js';
import { createFolder, run } from '../support/service.js';
import { fillStore, numberedPlants, ODD_PLANTS } from '../support/stored-plants.js';
import { runImport } from './import-process.js';

let folder: string;

beforeEach(() => {
  folder = createFolder();
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function env(database = 'plants.db') {
  return { DATABASE_URL: `sqlite:${join(folder, database)}` };
}

describe('export', () => {
  it.each(['ndjson', 'csv'])('writes a .%s that import takes back exactly', async (extension) => {
    await fillStore(join(folder, 'plants.db'), ODD_PLANTS);
    const file = join(folder, `plants.${extension}`);
    const target = await serveTestApp();

    const exported = await run('scripts/export.js', [file], env());
    const imported = await runImport([file, '--url', target.url, '--token', target.token]);
    await target.close();

    expect(exported).toMatchObject({ code: 0, stderr: '' });
    expect(exported.stdout).toMatch(/^12 plants are in .*: \d+\.\d s, [\d,]+ plants per second\n$/);
    expect(imported.code).toBe(0);
    expect(storedPlants(target.databasePath)).toEqual(
      ODD_PLANTS.map(({ id, name, tag }) => ({ id, name, tag: tag ?? null })),
    );
  });

  it('writes when and by which token each plant was created', async () => {
    await fillStore(join(folder, 'plants.db'), ODD_PLANTS.slice(8, 9));

    await run('scripts/export.js', [join(folder, 'a.ndjson')], env());
    await run('scripts/export.js', [join(folder, 'a.CSV')], env());

    expect(readFileSync(join(folder, 'a.ndjson'), 'utf8')).toBe(
      '{"id":6,"name":"=1+1","tag":"NULL","created_at":"2000-01-01T00:00:00.000Z","created_by":"a,\\"b\\""}\n',
    );
    expect(readFileSync(join(folder, 'a.CSV'), 'utf8')).toBe(
      'id,name,tag,created_at,created_by\n6,=1+1,NULL,2000-01-01T00:00:00.000Z,"a,""b"""\n',
    );
  });

  it('writes the format that it is told, for its owner alone, in place of an older file', async () => {
    await fillStore(join(folder, 'plants.db'), numberedPlants(1));
    const file = join(folder, 'export.txt');
    writeFileSync(file, 'older');

    const { code } = await run('scripts/export.js', [file, '--format', 'csv'], env());

    expect(code).toBe(0);
    expect(readFileSync(file, 'utf8')).toMatch(/^id,name,tag,/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.part`)).toBe(false);
  });

  it('writes an empty file for an empty store', async () => {
    await fillStore(join(folder, 'plants.db'), []);

    const { code, stdout } = await run('scripts/export.js', [join(folder, 'a.ndjson')], env());

    expect({ code, content: readFileSync(join(folder, 'a.ndjson'), 'utf8') }).toEqual({
      code: 0,
      content: '',
    });
    expect(stdout).toMatch(/^0 plants are in/);
  });

  it('leaves what fits where the file becomes too large, and goes on there the next time', async () => {
    await fillStore(join(folder, 'plants.db'), numberedPlants(5000));
    const file = join(folder, 'plants.csv');
    const node = `exec ${process.execPath} --no-opt dist/scripts/export.js ${file}`;

    // In blocks of 512 or 1,024 bytes: less than half of what there is to write.
    const first = spawnSync('sh', ['-c', `ulimit -f 100; ${node}`], {
      env: { ...process.env, ...env() },
      encoding: 'utf8',
    });
    const isWritten = existsSync(file);
    const second = await run('scripts/export.js', [file], env());
    const whole = await run('scripts/export.js', [join(folder, 'whole.csv')], env());

    expect(first).toMatchObject({ status: 2, stdout: '' });
    expect(first.stderr).toMatch(/plants\.csv\.part can't be written: EFBIG: [^\n]*\n$/);
    expect(isWritten).toBe(false);
    expect(second.stdout).toMatch(/^5,000 plants are in .*: [\d,]+ from before, [\d,]+ new in/);
    expect([second.code, whole.code]).toEqual([0, 0]);
    expect(readFileSync(file)).toEqual(readFileSync(join(folder, 'whole.csv')));
  });

  it('refuses with exit 2 to go on with what is of another store, and leaves it as it is', async () => {
    await fillStore(join(folder, 'plants.db'), ODD_PLANTS);
    const part = join(folder, 'plants.ndjson.part');
    writeFileSync(part, '{"id":0,"name":"of another store"}\n{"id');

    const { code, stderr } = await run('scripts/export.js', [join(folder, 'plants.ndjson')], env());

    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `${part} is not of this store: remove it, or export to another name\n`,
    });
    expect(readFileSync(part, 'utf8')).toBe('{"id":0,"name":"of another store"}\n{"id');
  });

  it.each<[string, string[], Record<string, string>, RegExp]>([
    ['no file', [], {}, /^one file is written at a time; 0 are named\nusage:/],
    ['no format', ['plants.txt'], {}, /^the file must be a \.csv or an \.ndjson.*\nusage:/],
    ['another format', ['a', '--format', 'xml'], {}, /^--format must be csv or ndjson\nusage:/],
    ['no store', ['FOLDER/a.csv'], { DATABASE_URL: 'sqlite:/nowhere/x' }, /^there is no store at/],
    ['no engine', ['FOLDER/a.csv'], { DATABASE_URL: 'mysql:x' }, /^DATABASE_URL must be .*\n$/],
    ['no folder', ['FOLDER/none/a.csv'], {}, /a\.csv\.part can't be written: ENOENT.*\n$/],
    ['a folder', ['FOLDER/folder.csv'], {}, /folder\.csv is there already, and is not a file\n$/],
  ])('exits with 2, a line, and no file on %s', async (_case, args, otherEnv, said) => {
    await fillStore(join(folder, 'plants.db'), numberedPlants(1));
    mkdirSync(join(folder, 'folder.csv'));

    const { code, stdout, stderr } = await run(
      'scripts/export.js',
      args.map((arg) => arg.replace('FOLDER', folder)),
      { ...env(), ...otherEnv },
    );

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(said);
    expect(existsSync(join(folder, 'a.csv.part'))).toBe(false);
  });

  it.each([
    ['is no database', 'not a database at all, however long it is', 'file is not a database'],
    ['has no plants', '', 'no such table: schema_migrations'],
  ])('exits with 2 and a line where the store %s', async (_case, content, said) => {
    writeFileSync(join(folder, 'plants.db'), content);

    const { code, stderr } = await run('scripts/export.js', [join(folder, 'a.csv')], env());

    expect(code).toBe(2);
    expect(stderr).toBe(`the store ${join(folder, 'plants.db')} can't be read: ${said}\n`);
  });

  it('needs no memory for what is in the store', async () => {
    const long = numberedPlants(100).map((plant) => ({ ...plant, tag: 'x'.repeat(900_000) }));
    await fillStore(join(folder, 'plants.db'), long);
    const file = join(folder, 'plants.ndjson');

    execFileSync(process.execPath, ['--max-old-space-size=32', 'dist/scripts/export.js', file], {
      env: { ...process.env, ...env() },
    });

    expect(statSync(file).size).toBeGreaterThan(90_000_000);
    expect(query(join(folder, 'plants.db'), 'SELECT COUNT(*) AS count FROM plants')).toEqual([
      { count: 100n },
    ]);
  });
});
