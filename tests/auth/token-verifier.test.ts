import { rmSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createToken, revokeToken } from '../../src/auth/token-file.js';
import { createTokenVerifier, type VerifyToken } from '../../src/auth/token-verifier.js';
import { createFolder } from '../support/service.js';

let path: string;
let now: number;
let verify: VerifyToken;

beforeEach(() => {
  path = `${createFolder()}/tokens`;
  now = Date.now();
  verify = createTokenVerifier(path, () => now);
});

describe('a token verifier', () => {
  it('knows a token by its name', () => {
    const token = createToken(path, 'ci', null);

    expect(verify(token)).toEqual({ name: 'ci' });
  });

  it('refuses what is not a token, also the digest of one', () => {
    createToken(path, 'ci', null);

    expect(verify('')).toBeUndefined();
    expect(verify('ci')).toBeUndefined();
  });

  it('refuses a token from the millisecond of its expiry on', () => {
    const token = createToken(path, 'ci', new Date(now + 5000));

    now += 4999;
    expect(verify(token)).toEqual({ name: 'ci' });

    now += 1;
    expect(verify(token)).toBeUndefined();
  });

  it('knows a token made after the start, and refuses one revoked, within a second', () => {
    verify('');
    const token = createToken(path, 'ci', null);

    now += 1000;
    expect(verify(token)).toEqual({ name: 'ci' });

    revokeToken(path, 'ci');
    now += 1000;
    expect(verify(token)).toBeUndefined();
  });

  it('refuses every token once the file is gone', () => {
    const token = createToken(path, 'ci', null);
    verify(token);

    rmSync(path);
    now += 1000;

    expect(verify(token)).toBeUndefined();
  });

  it('throws, for every token and every time, while the file can not be understood', () => {
    const token = createToken(path, 'ci', null);
    verify(token);

    writeFileSync(path, 'garbage\n');
    now += 1000;

    expect(() => verify(token)).toThrow(/is not an entry/);
    expect(() => verify(token)).toThrow(/is not an entry/);
  });
});
