import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { contractTypes } from 'contract-server/generate';
import { CONTRACT_PATH } from './support/contract.js';
import { createCompiler } from 'contract-testing/compile';

const { compile, edited } = createCompiler(fileURLToPath(new URL('..', import.meta.url)));

const HANDLER = 'src/plants/create-plant.ts';
const APP = 'src/app.ts';

/** The generated types of our contract with one text in it replaced. */
async function typesWith(from: RegExp, to: string): Promise<Record<string, string>> {
  const contract = readFileSync(CONTRACT_PATH, 'utf8');
  const changed = contract.replace(from, to);
  if (changed === contract) throw new Error(`the contract has no ${String(from)}`);
  return { 'generated/openapi.ts': await contractTypes(changed) };
}

describe('the service', () => {
  it.each([APP, HANDLER])('compiles as it is: %s', (path) => {
    expect(compile(path)).toEqual([]);
  });

  it('compiles with types that are generated anew', async () => {
    expect(compile(HANDLER, await typesWith(/$/, ' '))).toEqual([]);
  });
});

describe('a change of the contract that the code does not follow is not compiled', () => {
  it.each([
    ['a renamed member', /^( +)name:\n( +type: string\n +description: The name)/m, '$1title:\n$2'],
    ['a member of another type', /^( +name:\n +type: )string/m, '$1integer'],
    ['an id that is no longer int64', /^( {4}NewPlant:[^]*?format: )int64/m, '$1int32'],
    ['a required member more', /required: \[name\]/, 'required: [name, tag]'],
    ['a status that is gone', /'409':/, "'410':"],
    [
      'a required header more',
      /description: The id belongs to another plant[^]*?X-Request-Id: \{[^}]*\}/,
      '$&\n            X-Owner: { required: true, schema: { type: string } }',
    ],
    ['a renamed operation', /operationId: createPlant/, 'operationId: addPlant'],
  ])('%s', async (_case, from, to) => {
    const errors = compile(HANDLER, await typesWith(from, to));

    expect(errors).toContainEqual(expect.stringMatching(/^src\/plants\/create-plant\.ts: /));
  });

  it('one operation more, which has no handler', async () => {
    const types = await typesWith(
      /^paths:\n/m,
      "paths:\n  /more:\n    get:\n      operationId: listMore\n      responses: { '200': { description: x } }\n",
    );

    const errors = compile(APP, types);

    expect(errors).toContainEqual(expect.stringMatching(/^src\/app\.ts: .*'listMore' is missing/));
  });
});

describe('code that leaves the contract is not compiled', () => {
  it.each([
    [
      'a missing handler',
      APP,
      'createPlant: createPlantHandler(store),',
      '',
      /^src\/app\.ts: .*'createPlant' is missing/,
    ],
    [
      'a handler for no operation',
      APP,
      'createPlant: createPlantHandler(store),',
      '$&, extra: createPlantHandler(store),',
      /^src\/app\.ts: .*'extra' does not exist/,
    ],
    [
      'an undeclared status',
      HANDLER,
      'status: 409',
      'status: 418',
      /^src\/plants\/create-plant\.ts: .*418/,
    ],
    [
      'a body without a required member',
      HANDLER,
      'const plant = tag === undefined ? { name } : { name, tag }',
      'const plant = { ...',
      /^src\/plants\/create-plant\.ts: /,
    ],
    [
      'a body of another status',
      HANDLER,
      'status: 200, body: plant',
      "status: 200, body: { error: 1, message: '' }",
      /^src\/plants\/create-plant\.ts: /,
    ],
    [
      'a member of the wrong type',
      HANDLER,
      'error: PlantCode.idTaken',
      "error: '40901'",
      /^src\/plants\/create-plant\.ts: /,
    ],
    [
      'an undeclared content type',
      HANDLER,
      'status: 200, body',
      "status: 200, contentType: 'text/html', body",
      /^src\/plants\/create-plant\.ts: /,
    ],
    [
      'an undeclared header',
      HANDLER,
      'status: 200, body',
      "status: 200, headers: { 'X-Other': 1 }, body",
      /^src\/plants\/create-plant\.ts: /,
    ],
    [
      'an int64 taken for a number',
      HANDLER,
      'const plant =',
      'const double: number = id;\nconst plant =',
      /^src\/plants\/create-plant\.ts: .*bigint.*number/,
    ],
    [
      'a member that is not in the contract',
      HANDLER,
      'const { id, name, tag } =',
      'const { id, name, tag, colour } =',
      /^src\/plants\/create-plant\.ts: .*'colour' does not exist/,
    ],
    [
      'no response',
      HANDLER,
      'return { status: 200, body: plant }',
      'return',
      /^src\/plants\/create-plant\.ts: /,
    ],
  ])('%s', (_case, path, from, to, message) => {
    const errors = compile(path, edited(path, from, to.replace('$&', from)));

    expect(errors).toContainEqual(expect.stringMatching(message));
  });
});
