import { describe, expect, it } from '@jest/globals';
import { OIDC_SETTINGS } from '../../src/auth/index.js';
import { ConfigError, readSettings } from '../../src/service/settings.js';

const ISSUER = 'https://login.example.com/tenant/';

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readSettings(OIDC_SETTINGS, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('OIDC_SETTINGS', () => {
  it('name no issuer by default', () => {
    expect(readSettings(OIDC_SETTINGS, {})).toEqual({ oidcIssuer: '', oidcAudience: '' });
  });

  it.each([
    ISSUER,
    'https://login.example.com',
    'http://127.0.0.1:4000',
    'http://[::1]:4000',
    'http://localhost:4000/a',
  ])('take the issuer %s, to the letter', (OIDC_ISSUER) => {
    expect(readSettings(OIDC_SETTINGS, { OIDC_ISSUER, OIDC_AUDIENCE: 'plants' })).toEqual({
      oidcIssuer: OIDC_ISSUER,
      oidcAudience: 'plants',
    });
  });

  it.each([
    ['login.example.com', 'must be empty, or the URL of an issuer'],
    ['http://login.example.com', 'must be an https URL'],
    ['http://127.0.0.1.example.com', 'must be an https URL'],
    ['http://localhost.example.com', 'must be an https URL'],
    ['file:///etc/passwd', 'must be an https URL'],
    ['https://login.example.com/?tenant=a', 'must have no query'],
    ['https://login.example.com/?', 'must have no query'],
    ['https://login.example.com/#a', 'must have no query'],
  ])('refuse the issuer %s', (OIDC_ISSUER, message) => {
    expect(problemsOf({ OIDC_ISSUER, OIDC_AUDIENCE: 'plants' })).toEqual([
      expect.stringMatching(`^OIDC_ISSUER ${message}`),
    ]);
  });

  it('never show the password of an issuer', () => {
    const OIDC_ISSUER = 'https://admin:secret@login.example.com';

    const problems = problemsOf({ OIDC_ISSUER, OIDC_AUDIENCE: 'plants' });

    expect(problems).toEqual([expect.stringMatching(/^OIDC_ISSUER must have no user/)]);
    expect(problems.join()).not.toContain('secret');
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ['an issuer without an audience', { OIDC_ISSUER: ISSUER }, /must be set where OIDC_ISSUER is/],
    ['an audience without an issuer', { OIDC_AUDIENCE: 'plants' }, /without OIDC_ISSUER/],
    ['a control character', { OIDC_ISSUER: ISSUER, OIDC_AUDIENCE: 'a\u0001' }, /must be empty, or/],
  ])('refuse %s', (_case, env, message) => {
    expect(problemsOf(env)).toEqual([expect.stringMatching(message)]);
  });

  it('report a wrong issuer and a missing audience together', () => {
    expect(problemsOf({ OIDC_ISSUER: 'http://login.example.com' })).toEqual([
      expect.stringMatching(/^OIDC_ISSUER must be an https URL/),
      expect.stringMatching(/^OIDC_AUDIENCE must be set/),
    ]);
  });
});
