import type { Operation } from 'contract-server/contract';
import type { OperationGroup } from './operation-sources.js';
import { textOf, type SampleRequest } from './sample-requests.js';
import { usableSchemes, type Scheme } from './security-schemes.js';
import { keyOf, quoted, sourceOf } from './source-text.js';

/** A test for each operation of a group. */
export function testSource(
  { operations }: OperationGroup,
  samples: ReadonlyMap<Operation, SampleRequest>,
  schemes: readonly Scheme[],
): string {
  const suites = operations.map(({ operation }) => {
    const sample = samples.get(operation);
    return sample === undefined ? openSuite(operation) : suiteOf(operation, sample, schemes);
  });
  if (!operations.some(({ operation }) => samples.has(operation)))
    return `import { describe, it } from '@jest/globals';\n\n${suites.join('\n\n')}\n`;
  return `import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTestService, type TestService } from '../support/service.js';

let service: TestService;

beforeAll(async () => {
  service = await createTestService();
});

${suites.join('\n\n')}
`;
}

/** Of an operation of which no request is known that it accepts. */
function openSuite({ operationId }: Operation): string {
  return `describe(${quoted(operationId)}, () => {\n  it.todo('answers');\n});`;
}

function suiteOf(operation: Operation, sample: SampleRequest, schemes: readonly Scheme[]): string {
  const names = usableSchemes(operation, schemes);
  const tests = names === undefined ? [] : [successOf(operation, sample, names, schemes)];
  if (refusesStrangers(operation)) tests.push(refusalOf(operation, sample));
  return `describe(${quoted(operation.operationId)}, () => {\n${tests.join('\n\n')}\n});`;
}

function refusesStrangers({ security }: Operation): boolean {
  return security.length > 0 && security.every((one) => Object.keys(one).length > 0);
}

function successOf(
  operation: Operation,
  sample: SampleRequest,
  names: readonly string[],
  schemes: readonly Scheme[],
): string {
  const uses = names.length === 0 ? '{ api }' : '{ api, credentials }';
  const call = canCallByName(sample, names, schemes)
    ? callByName(operation, sample, names)
    : callByTarget(operation, sample, names, schemes);
  return `  it('answers with ${sample.status}', async () => {
    const ${uses} = service;

    const { status } = await ${call};

    expect(status).toBe(${sample.status});
  });`;
}

function refusalOf(operation: Operation, { target }: SampleRequest): string {
  return `  it('refuses with 401 who does not say who it is', async () => {
    const { status } = await service.api.request.${requestOf(operation, target)};

    expect(status).toBe(401);
  });`;
}

/** The client writes JSON bodies, and parameters of one value each. */
function canCallByName(
  { parameters, contentType = 'application/json', isTyped }: SampleRequest,
  names: readonly string[],
  schemes: readonly Scheme[],
): boolean {
  const isPlain = parameters.every(
    ({ parameter, value }) =>
      typeof value !== 'object' &&
      parameter.mediaType === undefined &&
      ['simple', 'form'].includes(parameter.style) &&
      parameter.in !== 'cookie',
  );
  const isInQuery = schemes.some(
    (scheme) => names.includes(scheme.name) && scheme.kind === 'apiKey' && scheme.in === 'query',
  );
  return (
    isTyped && isPlain && !isInQuery && /[/+]json$/.test(contentType) && !contentType.includes('*')
  );
}

function callByName(
  { operationId }: Operation,
  { parameters, body }: SampleRequest,
  names: readonly string[],
): string {
  const valuesIn = (place: string): Record<string, unknown> =>
    Object.fromEntries(
      parameters
        .filter(({ parameter }) => parameter.in === place)
        .map(({ parameter, value }) => [parameter.name, value]),
    );
  const headers = [
    ...names.map((name) => `...${credentialsOf(name)}`),
    ...Object.entries(valuesIn('header')).map(
      ([name, value]) => `${keyOf(name)}: ${sourceOf(value)}`,
    ),
  ];
  const parts = Object.entries({ params: valuesIn('path'), query: valuesIn('query') })
    .filter(([, values]) => Object.keys(values).length > 0)
    .map(([name, values]) => `      ${name}: ${sourceOf(values, 3)},`);
  if (headers.length > 0) parts.push(`      headers: { ${headers.join(', ')} },`);
  if (body !== undefined) parts.push(`      body: ${sourceOf(body, 3)},`);
  const member = /^[A-Za-z_$][\w$]*$/.test(operationId)
    ? `.${operationId}`
    : `[${quoted(operationId)}]`;
  return `api${member}(${parts.length === 0 ? '{}' : `{\n${parts.join('\n')}\n    }`})`;
}

/** The client has a function for each of these, and one for all others. */
const VERBS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

function requestOf({ method }: Operation, target: string): string {
  const verb = method.toLowerCase();
  return VERBS.includes(verb)
    ? `${verb}(${quoted(target)})`
    : `method(${quoted(method)}, ${quoted(target)})`;
}

function callByTarget(
  operation: Operation,
  sample: SampleRequest,
  names: readonly string[],
  schemes: readonly Scheme[],
): string {
  const keys = schemes.flatMap((scheme) =>
    names.includes(scheme.name) && scheme.kind === 'apiKey' && scheme.in === 'query'
      ? [scheme.key]
      : [],
  );
  const headers = [
    ...names.map((name) => `...${credentialsOf(name)}`),
    ...Object.entries(sample.headers).map(([name, value]) => `${keyOf(name)}: ${quoted(value)}`),
  ];
  return [
    `api.request\n      .${requestOf(operation, sample.target)}`,
    ...keys.map((key) => `.query({ ${keyOf(key)}: service.token })`),
    ...(headers.length === 0 ? [] : [`.set({ ${headers.join(', ')} })`]),
    ...(sample.body === undefined ? [] : [`.send(${quoted(textOf(sample))})`]),
  ].join('\n      ');
}

function credentialsOf(name: string): string {
  const key = keyOf(name);
  return key === name ? `credentials.${name}` : `credentials[${key}]`;
}
