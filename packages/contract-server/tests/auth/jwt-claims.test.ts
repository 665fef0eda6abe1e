import { describe, expect, it } from '@jest/globals';
import type { JWTPayload } from 'jose';
import { readPrincipal } from '../../src/auth/jwt-claims.js';

const ISSUER = 'https://login.example.com';
const read = (claims: JWTPayload, typ?: unknown) =>
  readPrincipal(ISSUER, { typ } as { typ?: string }, { sub: 'alice', ...claims });

describe('the principal of a JWT', () => {
  it('has subject, client and scopes, and a name of both', () => {
    expect(read({ client_id: 'app', scope: 'read write' })).toEqual({
      name: 'oidc:alice:app',
      scopes: ['read', 'write'],
      jwt: { issuer: ISSUER, subject: 'alice', clientId: 'app' },
    });
  });

  it.each<[string, JWTPayload, string]>([
    ['no client', {}, 'oidc:alice:'],
    ['an authorized party', { azp: 'app' }, 'oidc:alice:app'],
    ['a client and an authorized party', { client_id: 'app', azp: 'b' }, 'oidc:alice:app'],
    ['a subject of Auth0', { sub: 'auth0|12', azp: 'app' }, 'oidc:auth0|12:app'],
    ['a colon in the subject', { sub: 'a:b', azp: 'c' }, 'oidc:a%3Ab:c'],
    ['a colon in the client', { sub: 'a', azp: 'b:c' }, 'oidc:a:b%3Ac'],
    ['a quoted colon', { sub: 'a%3Ab', azp: 'c' }, 'oidc:a%253Ab:c'],
    ['the longest subject', { sub: 'x'.repeat(255) }, `oidc:${'x'.repeat(255)}:`],
  ])('is named for %s so that no other has its name', (_case, claims, name) => {
    expect(read(claims).name).toBe(name);
  });

  it.each<[string, JWTPayload, string[]]>([
    ['no scopes', {}, []],
    ['scope as a text', { scope: ' read  write ' }, ['read', 'write']],
    ['scope as a list', { scope: ['read', 'write'] }, ['read', 'write']],
    ['scp as a text', { scp: 'read write' }, ['read', 'write']],
    ['scp as a list', { scp: ['read', 1, null] }, ['read']],
    ['scope and scp', { scope: 'read', scp: ['write'] }, ['read']],
    ['something else as scope', { scope: { read: true } }, []],
  ])('has the scopes of %s', (_case, claims, scopes) => {
    expect(read(claims).scopes).toEqual(scopes);
  });

  it.each<[string, JWTPayload]>([
    ['no subject', { sub: undefined as unknown as string }],
    ['an empty subject', { sub: '' }],
    ['a subject that is a number', { sub: 1 as unknown as string }],
    ['a subject that is too long', { sub: 'x'.repeat(256) }],
    ['U+0000 in the subject', { sub: 'a\u0000' }],
    ['a line end in the subject', { sub: 'a\nb' }],
    ['half a surrogate pair in the subject', { sub: 'a\ud83c' }],
    ['U+0000 in the client', { client_id: '\u0000' }],
    ['a client that is too long', { azp: 'x'.repeat(256) }],
    ['a client that is a list', { client_id: ['app'] }],
  ])('is refused with %s', (_case, claims) => {
    expect(() => read(claims)).toThrow(/^it has no sub$|^its (sub|client_id|azp) /);
  });
});

describe('a JWT', () => {
  it.each([undefined, 'JWT', 'jwt', 'application/jwt', 'at+jwt', 'AT+JWT', 'application/at+jwt'])(
    'with the typ %s may be an access token',
    (typ) => {
      expect(read({}, typ).jwt?.subject).toBe('alice');
    },
  );

  it.each(['logout+jwt', 'dpop+jwt', 'secevent+jwt', 'id_token+jwt', 'at+jwt2', '', 1, null])(
    'with the typ %j is no access token',
    (typ) => {
      expect(() => read({}, typ)).toThrow('its typ is not that of an access token');
    },
  );

  it.each<[string, JWTPayload]>([
    ['the hash of an access token', { at_hash: 'x', scope: 'openid' }],
    ['the hash of a code', { c_hash: 'x' }],
    ['a nonce and no scopes', { nonce: 'x' }],
    ['token_use: id', { token_use: 'id' }],
    ['a typ ID among the claims', { typ: 'ID' }],
  ])('with %s is an ID token, unless its type says otherwise', (_case, claims) => {
    expect(() => read(claims, 'JWT')).toThrow('it is an ID token');
    expect(read(claims, 'at+jwt').name).toBe('oidc:alice:');
  });

  it('with a nonce and scopes is an access token, as older Keycloaks make them', () => {
    expect(read({ nonce: 'x', scope: 'read', typ: 'Bearer' }, 'JWT').scopes).toEqual(['read']);
  });

  it.each([{ jkt: 'a' }, { 'x5t#S256': 'a' }, {}, null])(
    'that is bound to a key (cnf: %j) is refused, since nothing shows that its sender has that key',
    (cnf) => {
      expect(() => read({ cnf }, 'at+jwt')).toThrow('it is bound to a key of its holder');
    },
  );

  it('with events is no access token', () => {
    expect(() => read({ events: {} }, 'JWT')).toThrow('it is a security event token');
  });
});
