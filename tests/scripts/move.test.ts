import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { query } from '../support/database.js';
import { createFolder, run, startService } from '../support/service.js';
import { fillStore, numberedPlants, ODD_PLANTS } from '../support/stored-plants.js';

const ALL = 'SELECT id, name, tag, created_at, created_by FROM plants ORDER BY id';

let folder: string;
let old: string;
let other: string;

beforeEach(() => {
  folder = createFolder();
  old = join(folder, 'plants.db');
  other = join(folder, 'new/plants.db');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function move() {
  return run('scripts/move.js', ['--from', `sqlite:${old}`, '--to', `sqlite:${other}`]);
}

describe('move', () => {
  it('copies every plant with all that the store keeps of it, and proves it', async () => {
    await fillStore(old, ODD_PLANTS);

    const { code, stdout, stderr } = await move();
    await run('scripts/export.js', [join(folder, 'a.ndjson')], { DATABASE_URL: `sqlite:${other}` });

    const sum = createHash('sha256')
      .update(readFileSync(join(folder, 'a.ndjson')))
      .digest('hex');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(query(other, ALL)).toEqual(query(old, ALL));
    expect(stdout).toContain('pass 1: 12 plants compared, 12 of them copied');
    expect(stdout).toContain('pass 2: 12 plants compared, 0 of them copied');
    expect(stdout).toContain(
      `both stores have the same 12 plants:\n  source  SHA-256 ${sum}\n  target  SHA-256 ${sum}\nNext: `,
    );
  });

  it('copies while the service creates, and what came since when it is run again', async () => {
    await fillStore(old, numberedPlants(20_000, 1_000_000));
    const service = await startService({}, folder);
    const load = { isOver: false };
    const creating = (async () => {
      let id = 0n;
      for (; !load.isOver; id++) await service.api.createPlant({ body: { id, name: `new ${id}` } });
      return Number(id);
    })();

    const first = await move();
    load.isOver = true;
    const created = await creating;
    await service.kill();
    const second = await move();

    expect(first.stdout).toContain('pass 1: ');
    expect(created).toBeGreaterThan(0);
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(second.stdout).toContain('both stores have the same ');
    expect(query(other, ALL)).toEqual(query(old, ALL));
    expect(query(other, ALL)).toHaveLength(20_000 + created);
  });

  it('leaves what is different in the target, names it, and exits with 1', async () => {
    await fillStore(old, numberedPlants(100));
    await fillStore(other, [
      ...numberedPlants(1, 7).map((plant) => ({ ...plant, tag: '' })),
      ...numberedPlants(2, 200),
    ]);

    const { code, stdout } = await move();

    expect(code).toBe(1);
    expect(stdout).toContain(
      'the stores are not the same:\n  different, and left as they are in the target: 1, such as 7\n  in the target alone: 2\n',
    );
    expect(query(other, 'SELECT tag FROM plants WHERE id = 7')).toEqual([{ tag: '' }]);
    expect(query(other, 'SELECT COUNT(*) AS count FROM plants')).toEqual([{ count: 102n }]);
  });

  it('makes no target where there is no source', async () => {
    const { code, stdout, stderr } = await move();

    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: `there is no store at ${old}\n`,
    });
    expect(existsSync(other)).toBe(false);
  });

  it.each([
    ['no target', ['--from', 'sqlite:a'], '--to must be sqlite: and the path of a file'],
    ['no source', ['--to', 'sqlite:a'], '--from must be sqlite: and the path of a file'],
    ['one store', ['--from', 'sqlite:a', '--to', 'sqlite:a'], '--from and --to are the same store'],
    ['a name too many', ['a'], "Unexpected argument 'a'"],
  ])('exits with 2 and the usage on %s', async (_case, args, said) => {
    const { code, stdout, stderr } = await run('scripts/move.js', args);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(said);
    expect(stderr).toContain('\nusage:\n  move -- --from STORE --to STORE');
  });
});
