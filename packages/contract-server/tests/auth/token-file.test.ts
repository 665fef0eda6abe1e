import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  TokenFileError,
  createFirstToken,
  createToken,
  digest,
  readTokens,
  revokeToken,
} from '../../src/auth/token-file.js';
import { ConfigError } from '../../src/service/settings.js';
import { createFolder } from '../support/folder.js';

let path: string;

beforeEach(() => {
  path = `${createFolder()}/keys/tokens`;
});

describe('createToken', () => {
  it('makes 32 random bytes and keeps only their digest', () => {
    const token = createToken(path, 'ci');

    expect(Buffer.from(token.replace(/^token_/, ''), 'base64url')).toHaveLength(32);
    expect(readFileSync(path, 'utf8')).not.toContain(token);
    expect(readTokens(path)).toEqual([
      {
        name: 'ci',
        sha256: digest(token),
        createdAt: expect.stringMatching(/Z$/),
        expiresAt: null,
        scopes: [],
      },
    ]);
  });

  it('keeps file and folder private', () => {
    createToken(path, 'ci');

    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(path.replace('/tokens', '')).mode & 0o777).toBe(0o700);
  });

  it.each(['', 'two words', 'a'.repeat(65), 'x\n{}', '../x/'])('refuses the name %j', (name) => {
    expect(() => createToken(path, name)).toThrow(TokenFileError);
  });

  it('refuses a name that is in use', () => {
    createToken(path, 'ci');

    expect(() => createToken(path, 'ci')).toThrow(/there is a token ci already/);
  });
});

describe('revokeToken', () => {
  it('takes the token away and frees its name', () => {
    const first = createToken(path, 'ci');

    revokeToken(path, 'ci');
    const second = createToken(path, 'ci');

    expect(readTokens(path).map(({ sha256 }) => sha256)).toEqual([digest(second)]);
    expect(second).not.toBe(first);
  });

  it('refuses a name that there is not', () => {
    expect(() => {
      revokeToken(path, 'nobody');
    }).toThrow(/there is no token nobody/);
  });
});

describe('readTokens', () => {
  it('finds none where there is no file', () => {
    expect(readTokens(path)).toEqual([]);
  });

  it.each([
    ['not JSON', 'hello'],
    ['half a line', '{"name":"ci","sha256":"ab'],
    ['a token in the clear', '{"name":"ci","token":"x"}'],
    ['a digest that is none', '{"name":"ci","sha256":"x","createdAt":"x","expiresAt":null}'],
    [
      'an expiry that is none',
      `{"name":"ci","sha256":"${'a'.repeat(64)}","createdAt":"x","expiresAt":"soon"}`,
    ],
    ['no expiry', `{"name":"ci","sha256":"${'a'.repeat(64)}","createdAt":"x"}`],
    ['no name', '{"revokedAt":"x"}'],
  ])('refuses %s and says where', (_case, line) => {
    createToken(path, 'good');
    writeFileSync(path, `${readFileSync(path, 'utf8')}${line}\n`);

    expect(() => readTokens(path)).toThrow(/tokens, line 2: is not an entry of a tokens file/);
  });
});

describe('createFirstToken', () => {
  it('makes a token where there is no file, and says where it is', () => {
    const file = createFirstToken(path);

    expect(file).toBe(path.replace('/tokens', '/first-token'));
    expect(statSync(String(file)).mode & 0o777).toBe(0o600);
    expect(readTokens(path)[0]?.sha256).toBe(digest(readFileSync(String(file), 'utf8').trim()));
  });

  it('makes none where all tokens have been revoked', () => {
    createToken(path, 'ci');
    revokeToken(path, 'ci');

    expect(createFirstToken(path)).toBeUndefined();
    expect(readTokens(path)).toEqual([]);
  });

  it('refuses a file that would have everybody refused, and says where it is wrong', () => {
    createToken(path, 'ci');
    writeFileSync(path, 'no entry\n');
    const folder = path.replace('/tokens', '');

    expect(() => createFirstToken(path)).toThrow(ConfigError);
    expect(() => createFirstToken(path)).toThrow(
      `the tokens file can't be used: ${path}, line 1: is not an entry of a tokens file`,
    );
    expect(() => createFirstToken(folder)).toThrow(
      `the tokens file can't be used: ${folder}: EISDIR: illegal operation on a directory, read`,
    );
  });
});
