import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createToken, revokeToken } from '../../src/auth/token-file.js';
import { createTokenVerifier, type VerifyToken } from '../../src/auth/token-verifier.js';
import { createFolder } from '../support/folder.js';

let path: string;
let now: number;
let elapsed: number;
let verify: VerifyToken;

beforeEach(() => {
  path = `${createFolder()}/tokens`;
  now = Date.now();
  elapsed = 0;
  verify = createTokenVerifier(path, { now: () => now, elapsed: () => elapsed });
});

function wait(ms: number): void {
  now += ms;
  elapsed += ms;
}

describe('a token verifier', () => {
  it('knows a token by its name', () => {
    const token = createToken(path, 'ci');

    expect(verify(token)).toEqual({ name: 'ci', scopes: [] });
  });

  it('refuses what is not a token, also the digest of one', () => {
    createToken(path, 'ci');

    expect(verify('')).toBeUndefined();
    expect(verify('ci')).toBeUndefined();
  });

  it('refuses a token from the millisecond of its expiry on', () => {
    const token = createToken(path, 'ci', { expiresAt: new Date(now + 5000) });

    wait(4999);
    expect(verify(token)).toEqual({ name: 'ci', scopes: [] });

    wait(1);
    expect(verify(token)).toBeUndefined();
  });

  it('knows a token made after the start, and refuses one revoked, within a second', () => {
    verify('');
    const token = createToken(path, 'ci');

    wait(1000);
    expect(verify(token)).toEqual({ name: 'ci', scopes: [] });

    revokeToken(path, 'ci');
    wait(1000);
    expect(verify(token)).toBeUndefined();
  });

  it('refuses every token once the file is gone', () => {
    const token = createToken(path, 'ci');
    verify(token);

    rmSync(path);
    wait(1000);

    expect(verify(token)).toBeUndefined();
  });

  it('refuses a revoked token within a second, also where the clock has gone back', () => {
    const token = createToken(path, 'ci');
    verify(token);

    revokeToken(path, 'ci');
    now -= 3_600_000;
    elapsed += 1000;

    expect(verify(token)).toBeUndefined();
  });

  it('throws, for every token and every time, while the file can not be understood', () => {
    const token = createToken(path, 'ci');
    verify(token);

    writeFileSync(path, 'garbage\n');
    wait(1000);

    expect(() => verify(token)).toThrow(/is not an entry/);
    expect(() => verify(token)).toThrow(/is not an entry/);
  });

  it('reads a file that can not be understood once, and again when it has changed', () => {
    const token = createToken(path, 'ci');
    const good = readFileSync(path, 'utf8');
    const write = (text: string, modifiedAt: number): void => {
      writeFileSync(path, text);
      utimesSync(path, modifiedAt, modifiedAt);
    };
    write(good.replace('{', 'x'), 1000);
    expect(() => verify(token)).toThrow(/is not an entry/);

    // By inode, size and time it is the same file; who reads it sees that it isn't.
    write(good, 1000);
    wait(1000);
    expect(() => verify(token)).toThrow(/is not an entry/);

    write(good, 1001);
    wait(1000);
    expect(verify(token)).toEqual({ name: 'ci', scopes: [] });
  });
});
