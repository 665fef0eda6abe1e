import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, jest } from '@jest/globals';
import { runCommandLine } from '../../src/cli.js';
import { contractOf } from '../support/fixture.js';
import { createFolder } from '../support/folder.js';

afterEach(() => {
  jest.restoreAllMocks();
});

it('lists the operations with the scopes that each asks for', async () => {
  const path = join(createFolder(), 'openapi.json');
  const security = [{ oauth: ['read', 'write'], key: [] }, { bearer: [] }];
  const get = { operationId: 'getA', security, responses: { '204': { description: '' } } };
  writeFileSync(path, JSON.stringify(contractOf({ '/a': { get } })));
  const log = jest.spyOn(console, 'log').mockReturnValue();

  const status = await runCommandLine(['list', path]);

  expect(status).toBe(0);
  expect(log.mock.calls.flat()[1]).toMatch(
    /^GET +\/a +getA +oauth \(read, write\) and key or bearer +- +204$/,
  );
});
