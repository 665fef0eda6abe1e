import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { createProject, ProjectError, type ProjectOptions } from '../src/index.js';

const FIXTURES = fileURLToPath(new URL('../../../tests/fixtures/', import.meta.url));

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(process.env.TESTS_FOLDER ?? tmpdir(), 'create-'));
});

/** Makes a project of a fixture, or of a file in the folder. */
function create(contract: string, options: Partial<ProjectOptions> = {}) {
  return createProject({
    folder: join(folder, 'made'),
    contract: contract.includes('/') ? contract : FIXTURES + contract,
    addResponses: false,
    asPublished: false,
    registry: true,
    ...options,
  });
}

const read = (path: string): string => readFileSync(join(folder, 'made', path), 'utf8');

describe('createProject', () => {
  it('writes a handler for each operation, by tags, and a test beside it', async () => {
    await create('bookings.yaml');

    expect(readdirSync(join(folder, 'made/src/operations')).sort()).toEqual([
      'bookings.ts',
      'reports.ts',
      'rooms.ts',
    ]);
    expect(read('src/operations/rooms.ts')).toContain("getRoom: mock(contract, 'getRoom'),");
    expect(read('tests/operations/rooms.test.ts')).toContain('params: { roomId: 1n },');
  });

  it('takes the error body, and what proves who calls, from the contract', async () => {
    await create('bookings.yaml');

    expect(read('src/error-body.ts')).toContain("title: STATUS_CODES[status] ?? 'Error',");
    expect(read('src/auth/strategies.ts')).toContain('staff: basicStrategy(verifyToken, REALM),');
    expect(read('src/auth/strategies.ts')).toContain(
      'accounts: bearerStrategy(verifyBearer, REALM),',
    );
    expect(read('.env.example')).toContain('# OIDC_ISSUER=');
    expect(read('src/auth/strategies.ts')).toContain("SCOPES: readonly string[] = ['rooms:write']");
  });

  it('tests what OpenAPI 3.2 added: methods of other names, a query that is one value', async () => {
    const contract = join(folder, 'warehouse.yaml');
    const text = readFileSync(`${FIXTURES}warehouse-3.2.yaml`, 'utf8');
    const error = 'error: { type: integer }';
    writeFileSync(contract, text.replace(error, `${error}, message: { type: string }`));

    await create(contract);

    expect(readdirSync(join(folder, 'made/src/operations')).sort()).toEqual([
      'crates.ts',
      'shelves.ts',
      'stock.ts',
    ]);
    expect(read('tests/operations/crates.test.ts')).toContain(
      ".method('LINK', '/crates?%7B%22to%22%3A1%7D')",
    );
    expect(read('tests/operations/stock.test.ts')).toContain('api.searchCrates({');
    expect(read('tests/operations/crates.test.ts')).not.toContain('it.todo');
  });

  it('has the npm scripts that its README names, for its own contract', async () => {
    const contract = join(folder, 'rooms.json');
    const yaml = readFileSync(`${FIXTURES}bookings.yaml`, 'utf8');
    writeFileSync(contract, JSON.stringify(parse(yaml)));
    await create(contract);

    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...read('README.md').matchAll(/npm run ([a-z:]+)/g)].map(
      ([, name = '']) => name,
    );

    expect(named).toContain('dev');
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
    expect(scripts.dev).toContain('--include api/openapi.json');
    expect(read('scripts/dev.ts')).toContain("writeTypes('api/openapi.json', ");
    expect(read('eslint.config.js')).toContain('recommendedTypeChecked');
  });

  it('depends on published packages where it brings none along', async () => {
    await create('bookings.yaml');

    expect(read('package.json')).toContain('"contract-server": "^1.0.0"');
    expect(readdirSync(join(folder, 'made'))).not.toContain('vendor');
  });

  it('adds missing responses to the copy alone, and leaves its comments', async () => {
    const before = readFileSync(`${FIXTURES}library.yaml`, 'utf8');

    await create('library.yaml', { addResponses: true });

    expect(read('api/openapi.yaml')).toContain('x-unmatched-responses:');
    expect(read('api/openapi.yaml')).toContain('# A contract of OpenAPI 3.0 made for the tests');
    expect(readFileSync(`${FIXTURES}library.yaml`, 'utf8')).toBe(before);
  });

  it('refuses everybody where it has no strategy, and says so', async () => {
    const text = readFileSync(`${FIXTURES}bookings.yaml`, 'utf8');
    const contract = join(folder, 'digest.yaml');
    writeFileSync(contract, text.replace('scheme: basic', 'scheme: digest'));

    const { warnings } = await create(contract);

    expect(warnings).toEqual([expect.stringContaining('security scheme staff: its strategy')]);
    expect(read('src/auth/strategies.ts')).toContain("staff: refusingStrategy('digest', REALM),");
  });
});

describe('createProject of a contract as it was published', () => {
  const published = { asPublished: true };

  it('copies it as it is, and serves it so', async () => {
    const { warnings } = await create('published.yaml', published);

    expect(read('api/openapi.yaml')).toBe(readFileSync(`${FIXTURES}published.yaml`, 'utf8'));
    expect(read('src/app.ts')).toContain('asPublished: true,');
    expect(read('package.json')).toContain('check api/openapi.yaml --as-published');
    expect(warnings).toEqual([
      'POST /#X-Action=Export: is answered with 501: has a query or a fragment, which no path of a request has',
      'GET /tides: is answered with 501: style deepObject needs a schema of an object',
    ]);
  });

  it('has handlers of what can be served, by their names, and says what is not', async () => {
    await create('published.yaml', published);

    expect(readdirSync(join(folder, 'made/src/operations'))).toEqual(['berths.ts']);
    expect(read('src/operations/berths.ts')).toContain(
      "'GET /berths/{berth_id}': mock(contract, 'GET /berths/{berth_id}'),",
    );
    expect(read('README.md')).toContain('| `GET /tides` | not served: answered with 501 |');
  });

  it('answers errors with problem details where it has no error body (RFC 9457)', async () => {
    await create('published.yaml', published);

    expect(read('src/error-body.ts')).toContain('detail: message,');
  });

  it('leaves the test of an operation open of which no request is found', async () => {
    const contract = join(folder, 'odd.yaml');
    const text = readFileSync(`${FIXTURES}published.yaml`, 'utf8');
    writeFileSync(
      contract,
      text.replace(
        "$ref: '#/components/schemas/Berth' }\n      responses",
        'not: {} }\n      responses',
      ),
    );

    const { warnings } = await create(contract, published);

    expect(warnings).toContainEqual(expect.stringMatching(/^PostBerths: no request was found/));
    expect(read('tests/operations/berths.test.ts')).toContain("it.todo('answers');");
    expect(read('tests/support/credentials.ts')).toContain("'PostBerths'");
  });
});

describe('createProject writes nothing', () => {
  it.each<[string, string, RegExp, Partial<ProjectOptions>]>([
    [
      'nothing can be served',
      'refused.yaml',
      /no operation that can be served/,
      { asPublished: true },
    ],
    ['responses are missing', 'library.yaml', /requests that reach no operation: 204, 400/, {}],
    ['the contract is in several files', 'several.yaml', /is in several files/, {}],
    ['no error body has a member for a text', 'mute.yaml', /has a member for a text/, {}],
  ])('where %s', async (_case, name, message, options) => {
    const text = readFileSync(`${FIXTURES}bookings.yaml`, 'utf8');
    const files: Record<string, string> = {
      'refused.yaml': text.replace(/^ {2}\/.*:$/gm, (path) => `${path.slice(0, -1)}?a=b:`),
      'several.yaml': text.replace("'#/components/schemas/RoomKind'", 'kinds.yaml'),
      'mute.yaml': text
        .replace('title: { type: string }', 'title: { type: boolean }')
        .replace('detail: { type: string }\n        errors', 'errors'),
    };
    for (const [file, content] of Object.entries(files)) {
      writeFileSync(join(folder, file), content);
    }
    writeFileSync(join(folder, 'kinds.yaml'), 'type: string\n');
    const before = readdirSync(folder);

    const creating = create(name in files ? join(folder, name) : name, options);

    await expect(creating).rejects.toThrow(message);
    expect(readdirSync(folder)).toEqual(before);
  });

  it('into a folder that has something in it', async () => {
    await expect(create('bookings.yaml', { folder: FIXTURES })).rejects.toThrow(ProjectError);
  });
});
