import type { Operation } from 'contract-server/contract';
import { listScopes, type Scheme } from './security-schemes.js';
import { keyOf, quoted, sourceOf } from './source-text.js';

/** The strategies of a contract's security schemes. */
export function strategiesSource(
  realm: string,
  schemes: readonly Scheme[],
  operations: readonly Operation[],
): string {
  const factories = [...new Set(schemes.map(factoryOf))].sort();
  const imports = [...factories, 'type VerifyBearer', 'type VerifyToken']
    .map((name) => `  ${name},`)
    .join('\n');
  const strategies = schemes.flatMap((scheme) => [
    ...(scheme.kind === 'unsupported'
      ? [`    // Refuses everybody: write a passport strategy of the scheme ${scheme.httpScheme}.`]
      : []),
    `    ${keyOf(scheme.name)}: ${strategyOf(scheme)},`,
  ]);
  const used = [...new Set(schemes.flatMap((scheme) => verifierOf(scheme) ?? []))].sort();
  return `import type { Strategies } from 'contract-server';
import {
${imports}
} from 'contract-server/auth';
${schemes.length === 0 ? '' : `\nconst REALM = { realm: ${quoted(realm)} };\n`}
/** Every scope that an operation asks for; the first token has them all. */
export const SCOPES: readonly string[] = ${sourceOf(listScopes(operations))};

export interface Verifiers {
  /** Of the tokens in the file. */
  readonly verifyToken: VerifyToken;
  /** Of those, and of the JWTs of an OpenID provider where OIDC_ISSUER names one. */
  readonly verifyBearer: VerifyBearer;
}

/** What proves who makes a request, by the security schemes of the contract. */
export function createStrategies(${used.length === 0 ? '_verifiers' : `{ ${used.join(', ')} }`}: Verifiers): Strategies {
  return {${strategies.length === 0 ? '' : `\n${strategies.join('\n')}\n  `}};
}
`;
}

function factoryOf({ kind }: Scheme): string {
  return kind === 'unsupported' ? 'refusingStrategy' : `${kind}Strategy`;
}

/** What a scheme's credentials are verified with; undefined where nobody can verify them. */
function verifierOf({ kind }: Scheme): 'verifyToken' | 'verifyBearer' | undefined {
  if (kind === 'unsupported') return undefined;
  return kind === 'bearer' ? 'verifyBearer' : 'verifyToken';
}

function strategyOf(scheme: Scheme): string {
  const factory = factoryOf(scheme);
  switch (scheme.kind) {
    case 'bearer':
    case 'basic':
      return `${factory}(${verifierOf(scheme)}, REALM)`;
    case 'apiKey':
      return `${factory}(${sourceOf({ in: scheme.in, name: scheme.key })}, verifyToken, REALM)`;
    case 'unsupported':
      return `${factory}(${quoted(scheme.httpScheme)}, REALM)`;
  }
}

/** What the tests prove themselves with. */
export function credentialsSource(schemes: readonly Scheme[], untested: readonly string[]): string {
  const usable = schemes.filter(({ kind }) => kind !== 'unsupported');
  const headers = usable.map((scheme) => `    ${keyOf(scheme.name)}: ${headersOf(scheme)},`);
  const secrets = usable.map(
    ({ name, kind }) => `    ${keyOf(name)}: ${kind === 'basic' ? BASIC : 'token'},`,
  );
  const object = (lines: readonly string[]): string =>
    lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n  }`;
  const parameter = usable.length === 0 ? '_token' : 'token';
  return `/** The headers that prove to each security scheme who calls. */
export function credentialsOf(${parameter}: string) {
  return ${object(headers)};
}

/** What a client must know of each security scheme. */
export function secretsOf(${parameter}: string): Readonly<Record<string, string>> {
  return ${object(secrets)};
}

/**
 * Operations to which no requests are made from the contract: those that aren't served, those that nobody
 * may call until their strategies are written, and those of which no request, or no success, is known.
 */
export const UNTESTED: readonly string[] = ${sourceOf(untested)};
`;
}

/** The token's name is the user. */
const BASIC = "Buffer.from(`test:${token}`).toString('base64')";

function headersOf(scheme: Scheme): string {
  switch (scheme.kind) {
    case 'bearer':
      return '{ Authorization: `Bearer ${token}` }';
    case 'basic':
      return `{ Authorization: \`Basic \${${BASIC}}\` }`;
    case 'apiKey':
      if (scheme.in === 'header') return `{ ${keyOf(scheme.key)}: token }`;
      return scheme.in === 'cookie' ? `{ Cookie: \`${scheme.key}=\${token}\` }` : '{}';
    case 'unsupported':
      return '{}';
  }
}
