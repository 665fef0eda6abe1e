import { readFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { storedPlants, type StoredPlant } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { serveTestApp } from '../support/served-app.js';
import { createFolder, startService, type Service } from '../support/service.js';
import { accept, runImport, startImport, startStandIn } from './import-process.js';

const PATIENCE_MS = 30_000;
const TOKEN = 'a-token-that-nobody-may-see';
// Each test starts processes, and a loaded machine is slow at that.
jest.setTimeout(PATIENCE_MS);

const endings: (() => void | Promise<void>)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

function file(name: string, content: string | Buffer): string {
  const folder = createFolder();
  endings.push(() => {
    rmSync(folder, { recursive: true });
  });
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

interface Target {
  readonly url: string;
  readonly token: string;
  readonly folder: string;
}

async function service(basePath = ''): Promise<Target> {
  const served = await serveTestApp({ config: { basePath } });
  endings.push(() => served.close());
  return { ...served, folder: dirname(served.databasePath) };
}

/** A service that can crash. */
async function serviceProcess(env?: Record<string, string>, folder?: string): Promise<Service> {
  const started = await startService(env, folder);
  endings.push(() => started.kill());
  return started;
}

async function standIn(...args: Parameters<typeof startStandIn>) {
  const started = await startStandIn(...args);
  endings.push(started.close);
  return started;
}

function plantsIn(folder: string): StoredPlant[] {
  return storedPlants(join(folder, 'plants.db'));
}

function numbered(count: number): string {
  const rows = Array.from(
    { length: count },
    (_, index) => `${index},plant ${index},tag ${index}\n`,
  );
  return `id,name,tag\n${rows.join('')}`;
}

function to({ url, token }: Pick<Target, 'url' | 'token'>) {
  return ['--url', url, '--token', token];
}

function cutShort(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Length': '99' }).write('{"na', () => response.destroy());
}

describe('import', () => {
  it('creates every row, and finds every row there the second time', async () => {
    const target = await service();
    const path = file('plants.csv', numbered(500));

    const first = await runImport([path, ...to(target)]);
    const second = await runImport([path, ...to(target)]);

    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(
      /^500 rows in \d+\.\d s, [\d,]+ rows per second\n {2}500 created or already there\n {2}0 refused\n {2}0 failed\n$/,
    );
    expect(second.code).toBe(0);
    expect(second.stdout).toContain('500 created or already there');
    expect(plantsIn(target.folder)).toEqual(
      Array.from({ length: 500 }, (_, index) => ({
        id: BigInt(index),
        name: `plant ${index}`,
        tag: `tag ${index}`,
      })),
    );
  });

  it('takes the token from PLANTS_TOKEN and a base path from the URL', async () => {
    const target = await service('/v1');
    const path = file('plants.csv', 'id,name\n7,seven\n');

    const { code } = await runImport([path, '--url', `${target.url}/`], {
      PLANTS_TOKEN: `${target.token}\n`,
    });

    expect(target.url).toMatch(/\/v1$/);
    expect(code).toBe(0);
    expect(plantsIn(target.folder)).toEqual([{ id: 7n, name: 'seven', tag: null }]);
  });

  it.each([
    ['csv', (id: string) => `${id},x`, 'id,name\n'],
    ['ndjson', (id: string) => `{"id":${id},"name":"x"}`, ''],
  ])('sends 19-digit ids exactly from .%s', async (extension, row, header) => {
    const target = await service();
    const ids = ['-9223372036854775808', '9007199254740993', '9223372036854775807'];
    const path = file(`plants.${extension}`, header + ids.map(row).join('\n'));

    const { code } = await runImport([path, ...to(target)]);

    expect(code).toBe(0);
    expect(plantsIn(target.folder).map(({ id }) => id)).toEqual(ids.map(BigInt));
  });

  it('keeps every character of quoted cells, and takes an empty tag for none', async () => {
    const target = await service();
    const path = file(
      'plants.csv',
      '\ufefftag,id,name\r\n,1,"two\r\nlines, ""q"" 🌱"\r\n é ,2,\r\n',
    );

    const { code } = await runImport([path, ...to(target)]);

    expect(code).toBe(0);
    expect(plantsIn(target.folder)).toEqual([
      { id: 1n, name: 'two\r\nlines, "q" 🌱', tag: null },
      { id: 2n, name: '', tag: ' é ' },
    ]);
  });

  it('tells a quoted empty tag from none, and lists it so', async () => {
    const target = await service();
    const path = file('plants.csv', 'id,name,tag\n1,one,""\n2,two,\nx,three,""\n');

    const { code } = await runImport([path, ...to(target)]);

    expect(code).toBe(1);
    expect(plantsIn(target.folder)).toEqual([
      { id: 1n, name: 'one', tag: '' },
      { id: 2n, name: 'two', tag: null },
    ]);
    expect(readFileSync(path.replace('.csv', '.refused.csv'), 'utf8')).toMatch(/,x,three,""\n$/);
  });

  it('lists refused rows beside a .csv, goes on after them and exits with 1', async () => {
    const target = await service();
    const path = file(
      'plants.csv',
      'id,name,tag\n1,one,a\n1,"other, one",\n9223372036854775808,too far,\n\nx,"no ""number""",\n2,short\n3,a"b,c\n4,four,\n',
    );

    const { code, stdout, stderr } = await runImport([path, '--concurrency', '1', ...to(target)]);

    const list = path.replace(/\.csv$/, '.refused.csv');
    expect(code).toBe(1);
    expect(stderr).toBe('');
    expect(stdout).toContain('2 created or already there\n  5 refused\n  0 failed\n');
    expect(stdout).toContain(`The rows that are not in are listed in ${list}\n`);
    expect(plantsIn(target.folder).map(({ id }) => id)).toEqual([1n, 4n]);
    expect(readFileSync(list, 'utf8').split('\n')).toEqual([
      'line,code,message,id,name,tag',
      '3,40901,"the id 1 belongs to another plant, which was left as it is",1,"other, one",',
      expect.stringMatching(/^4,40002,.*\/id.*,9223372036854775808,too far,$/),
      '6,unreadable,"the id must be an integer of at most 40 digits, such as 11646167",x,"no ""number""",',
      '7,unreadable,the row has 2 columns; the header has 3,,,',
      '8,unreadable,a cell has a quote but does not begin with one,,,',
      '',
    ]);
  });

  it('lists refused rows beside an .ndjson as JSON', async () => {
    const target = await service();
    const path = file(
      'plants.ndjson',
      '{"id":1,"name":"one"}\n\n{"id":"2","name":"two"}\n{"id":9223372036854775808,"name":"three"}\nfour\n',
    );

    const { code } = await runImport([path, '--concurrency', '1', ...to(target)]);

    const list = readFileSync(path.replace(/\.ndjson$/, '.refused.ndjson'), 'utf8').split('\n');
    expect(code).toBe(1);
    expect(list).toHaveLength(4);
    expect(JSON.parse(list[0] ?? '')).toEqual({
      line: 3,
      code: 'unreadable',
      message: 'the id must be an integer',
      id: '2',
      name: 'two',
    });
    expect(list[1]).toMatch(
      /^\{"line":4,"code":40002,"message":".*","id":9223372036854775808,"name":"three"\}$/,
    );
    expect(JSON.parse(list[2] ?? '')).toMatchObject({ line: 5, code: 'unreadable' });
  });

  it('lists refused rows in the file that it is told', async () => {
    const target = await service();
    const path = file('plants.csv', 'id,name\nx,one\n');
    const refused = join(dirname(path), 'elsewhere.csv');

    const { code } = await runImport([path, '--refused', refused, ...to(target)]);

    expect(code).toBe(1);
    expect(readFileSync(refused, 'utf8')).toMatch(/^line,code.*\n2,unreadable/);
    expect(existsSync(path.replace(/\.csv$/, '.refused.csv'))).toBe(false);
  });

  it('finds the service where its environment says', async () => {
    const standIn = await startStandIn(accept);
    const { port } = new URL(standIn.url);
    const env = { HOST: '0.0.0.0', PORT: port, PLANTS_TOKEN: 'token' };

    const { code } = await runImport([file('plants.csv', 'id,name\n1,one\n')], env);
    standIn.close();

    expect({ code, bodies: standIn.bodies }).toEqual({
      code: 0,
      bodies: ['{"id":1,"name":"one"}'],
    });
  });

  it('says in a line that nobody listens, and exits with 2', async () => {
    const { url, close } = await startStandIn(accept);
    close();
    const rows = Array.from({ length: 100 }, (_, n) => `${n},a\n`).join('');

    const args = [file('plants.csv', `id,name\n${rows}`), '--url', url, '--token', 'token'];
    const { code, stdout, stderr } = await runImport(args);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(
      `nobody listens at ${url} (ECONNREFUSED): does the service run there? see --url\n`,
    );
    expect(stderr).not.toContain('Warning');
  });

  it('imports a corrected list of refused rows', async () => {
    const target = await service();
    const path = file('plants.csv', 'id,name,tag\none,"1, one",t\n');
    const list = path.replace(/\.csv$/, '.refused.csv');

    await runImport([path, ...to(target)]);
    writeFileSync(list, readFileSync(list, 'utf8').replace(',one,', ',1,'));
    const { code, stderr } = await runImport([list, ...to(target)]);

    expect(code).toBe(0);
    expect(stderr).toBe('ignoring the columns ["line","code","message"]\n');
    expect(plantsIn(target.folder)).toEqual([{ id: 1n, name: '1, one', tag: 't' }]);
  });

  it('bridges a crash and a restart of the service', async () => {
    const target = await serviceProcess();
    const path = file('plants.csv', numbered(600));
    const importing = startImport([path, ...to(target)]);
    await eventually(() => (target.log.length > 100 ? true : undefined), PATIENCE_MS);

    await target.kill();
    await serviceProcess({ PORT: new URL(target.url).port }, target.folder);
    const { code, stdout } = await importing.ended;

    expect(code).toBe(0);
    expect(stdout).toContain('600 created or already there');
    expect(stdout).toMatch(/\d+ times a row was sent again/);
    expect(plantsIn(target.folder)).toHaveLength(600);
  });

  it('stops where the service is gone, and a second run brings in the rest', async () => {
    const target = await serviceProcess();
    const path = file('plants.csv', numbered(600));
    const importing = startImport([path, '--tries', '2', ...to(target)]);
    await eventually(() => (target.log.length > 100 ? true : undefined), PATIENCE_MS);

    await target.kill();
    const first = await importing.ended;
    const restarted = await serviceProcess({}, target.folder);
    const second = await runImport([path, ...to(restarted)]);

    const listed = readFileSync(path.replace(/\.csv$/, '.refused.csv'), 'utf8')
      .trim()
      .split('\n');
    expect(first.code).toBe(1);
    expect(first.stderr).toMatch(
      /stopping, once what is on its way is done: \d+ rows in succession have failed/,
    );
    expect(first.stdout).toContain(`${listed.length - 1} failed`);
    expect(listed[1]).toMatch(/^\d+,ECONN[A-Z]+,no answer from the service: ECONN[A-Z]+,\d+,plant/);
    expect(second.code).toBe(0);
    expect(plantsIn(target.folder)).toHaveLength(600);
  });

  it('sends again after 503, 429, a broken connection and an unfinished answer', async () => {
    const target = await standIn((response, body, index) => {
      if (index === 0) response.writeHead(503, { 'Retry-After': '0' }).end();
      else if (index === 1) response.writeHead(429).end('slow down');
      else if (index === 2) response.destroy();
      else if (index === 3) cutShort(response);
      else accept(response, body);
    });
    const path = file('plants.csv', 'id,name\n9223372036854775807,x\n');

    const { code, stdout, stderr } = await runImport([path, ...to({ ...target, token: TOKEN })]);

    expect(code).toBe(0);
    expect(stdout).toContain('4 times a row was sent again');
    expect(stderr).toContain('sending again what has failed: the answer was 503');
    expect(target.bodies).toEqual(
      Array.from({ length: 5 }, () => '{"id":9223372036854775807,"name":"x"}'),
    );
  });

  it('gives a row up after the tries it may have, and counts it as failed', async () => {
    const target = await standIn((response) => {
      response
        .writeHead(503, { 'Retry-After': '0', 'Content-Type': 'application/json' })
        .end('{"error":50302,"message":"not now"}');
    });
    const path = file('plants.csv', 'id,name\n1,x\n');

    const { code, stdout } = await runImport([
      path,
      '--tries',
      '3',
      ...to({ ...target, token: TOKEN }),
    ]);

    expect(code).toBe(1);
    expect(stdout).toContain('0 created or already there\n  0 refused\n  1 failed');
    expect(target.bodies).toHaveLength(3);
    expect(readFileSync(path.replace('.csv', '.refused.csv'), 'utf8')).toContain(
      '2,50302,not now,1,x,\n',
    );
  });

  it('finishes what is on its way on SIGINT, reads no more and exits with 1', async () => {
    const held: (() => void)[] = [];
    const target = await standIn((response, body) => {
      held.push(() => {
        accept(response, body);
      });
    });
    const path = file('plants.csv', numbered(50));
    const importing = startImport([path, '--concurrency', '2', ...to({ ...target, token: TOKEN })]);
    await eventually(() => (held.length === 2 ? true : undefined), PATIENCE_MS);

    importing.process.kill('SIGINT');
    await eventually(() => (importing.stderr() === '' ? undefined : true), PATIENCE_MS);
    for (const release of held) release();
    const { code, stdout, stderr } = await importing.ended;

    expect(code).toBe(1);
    expect(stderr).toBe('stopping, once what is on its way is done: interrupted\n');
    expect(stdout).toContain('2 created or already there');
    expect(target.bodies).toHaveLength(2);
  });

  it('imports a file larger than its memory', async () => {
    const target = await standIn(accept);
    const name = 'x'.repeat(900_000);
    const rows = Array.from({ length: 40 }, (_, index) => `${index},${name}\n`);
    const path = file('plants.csv', `id,name\n${rows.join('')}`);

    const { code, stdout } = await runImport(
      [path, '--concurrency', '2', ...to({ ...target, token: TOKEN })],
      {},
      ['--max-old-space-size=24'],
    );

    expect(code).toBe(0);
    expect(stdout).toContain('40 created or already there');
  });

  it.each([
    [401, 'the service refuses the token (401)'],
    [403, 'the token is not allowed to create plants (403)'],
    [404, 'is --url right?'],
    [302, 'answers 302'],
    [200, 'it is no plant store'],
  ])('stops at once with exit 2 where it is answered %i without a plant', async (status, said) => {
    const target = await standIn((response) => {
      response.writeHead(status, { Location: '/elsewhere' }).end('<p>hello</p>');
    });
    const path = file('plants.csv', numbered(1000));

    const { code, stdout, stderr } = await runImport([
      path,
      '--concurrency',
      '4',
      ...to({ ...target, token: TOKEN }),
    ]);

    expect(code).toBe(2);
    expect(stderr).toContain(said);
    expect(stderr + stdout).not.toContain(TOKEN);
    expect(target.bodies.length).toBeLessThanOrEqual(4);
    expect(existsSync(path.replace('.csv', '.refused.csv'))).toBe(false);
  });

  it('refuses a token that the service does not know with exit 2', async () => {
    const target = await service();
    const path = file('plants.csv', 'id,name\n1,x\n');

    const { code, stdout, stderr } = await runImport([path, ...to({ ...target, token: TOKEN })]);

    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(
      /stopping.*\nthe service refuses the token \(401\): it is unknown, expired or revoked\n$/,
    );
    expect(plantsIn(target.folder)).toEqual([]);
  });

  it('takes a token that begins with a dash', async () => {
    const seen: (string | undefined)[] = [];
    const target = await standIn((response, body, _index, { headers }) => {
      seen.push(headers.authorization);
      accept(response, body);
    });
    const path = file('plants.csv', 'id,name\n1,x\n');

    const { code } = await runImport([path, ...to({ ...target, token: '-dashed' })]);

    expect(code).toBe(0);
    expect(seen).toEqual(['Bearer -dashed']);
  });

  it.each<[string, string[], string]>([
    ['no file', [], 'one file is imported at a time; 0 are named'],
    ['two files', ['FILE', TOKEN], 'one file is imported at a time; 2 are named'],
    ['an unknown flag', ['FILE', '--tokn', TOKEN], "Unknown option '--tokn'"],
    ['an unknown flag with a value', ['FILE', `--tokn=${TOKEN}`], "Unknown option '--tokn'"],
    ['no token', ['FILE'], 'there is no token'],
    ['a token with a line break', ['FILE', '--token', `${TOKEN}\n!`], 'the token has characters'],
    ['a password in the URL', ['FILE', '--url', `http://me:${TOKEN}@h`], 'must not have a user'],
    ['another protocol', ['FILE', '--token', TOKEN, '--url', 'ftp://h'], '--url must be like'],
    ['no rows at once', ['FILE', '--token', TOKEN, '--concurrency', '0'], '--concurrency must be'],
    ['another kind of file', ['plants.xlsx', '--token', TOKEN], 'must be a .csv or an .ndjson'],
    ['no such file', ['nowhere.csv', '--token', TOKEN], "nowhere.csv can't be read: ENOENT"],
  ])('exits with 2 and the usage, and no token, on %s', async (_case, args, said) => {
    const path = file('plants.csv', 'id,name\n1,x\n');

    const { code, stdout, stderr } = await runImport(
      args.map((arg) => (arg === 'FILE' ? path : arg)),
    );

    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(said);
    expect(stderr).toContain('usage:\n  import -- FILE.csv|FILE.ndjson');
    expect(stderr).not.toContain(TOKEN);
  });

  it.each([
    ['id,tag\n1,x\n', 'the file has no column "name"'],
    ['id,name,id\n1,x,2\n', 'the file has 2 columns "id"'],
    ['', 'the file has no header'],
    [Buffer.from('\ufeffid,name\n', 'utf16le'), 'the file is in UTF-16; save it as UTF-8'],
  ])('exits with 2 and the usage where the header is not right: %j', async (content, said) => {
    const path = file('plants.csv', content);

    const { code, stderr } = await runImport([path, '--token', TOKEN]);

    expect(code).toBe(2);
    expect(stderr).toContain(said);
    expect(stderr).toContain('usage:');
  });

  it('prints the usage on --help', async () => {
    const { code, stdout } = await runImport(['--help']);

    expect(code).toBe(0);
    expect(stdout).toContain('An empty tag cell means no tag.');
  });
});
