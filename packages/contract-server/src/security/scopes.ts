import { ApiError, EngineCode } from '../exchange/api-error.js';
import type { SecurityScheme } from './security-scheme.js';

/**
 * Whether a principal has every scope, or role, that a requirement lists. They are in its `scopes`;
 * a principal without such an array has none.
 */
export function hasScopes(principal: unknown, required: readonly string[]): boolean {
  if (required.length === 0) return true;
  const granted = scopesOf(principal);
  return required.every((scope) => granted.includes(scope));
}

function scopesOf(principal: unknown): readonly unknown[] {
  if (typeof principal !== 'object' || principal === null || !('scopes' in principal)) return [];
  return Array.isArray(principal.scopes) ? (principal.scopes as readonly unknown[]) : [];
}

/** A scheme whose credentials are good, and the scopes of which its principal doesn't have all. */
export interface LackingScheme {
  readonly scheme: SecurityScheme;
  readonly scopes: readonly string[];
}

/** 403: it is known who asks, and it may not (RFC 6750 §3.1). */
export function insufficientScope(lacking: readonly LackingScheme[]): ApiError {
  const challenges = new Set<string>();
  const scopes = new Set<string>();
  for (const { scheme, scopes: required } of lacking) {
    for (const scope of required) scopes.add(scope);
    if (scheme.httpScheme === 'bearer')
      challenges.add(insufficientScopeChallenge(scheme, required));
  }
  return new ApiError(
    EngineCode.insufficientScope,
    `the credentials are valid, but lack a scope; this operation requires: ${[...scopes].join(', ')}`,
    challenges.size === 0 ? {} : { 'WWW-Authenticate': [...challenges].join(', ') },
  );
}

/** RFC 6749 §3.3: what a scope can be made of; one of anything else can't be said in a header. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

function insufficientScopeChallenge(
  { challenge }: SecurityScheme,
  scopes: readonly string[],
): string {
  const scope = scopes.filter((name) => SCOPE.test(name)).join(' ');
  return `${challenge}, error="insufficient_scope"${scope === '' ? '' : `, scope="${scope}"`}`;
}
