import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse, parseDocument } from 'yaml';

const ROOT = new URL('../../', import.meta.url).pathname;
const contract = readFileSync(join(ROOT, 'api/openapi.yaml'), 'utf8');

const POST = ['paths', '/plants', 'post'];
const BODY = [...POST, 'requestBody'];
const CONFLICT = [...POST, 'responses', '409'];
const CONFLICT_SCHEMA = [...CONFLICT, 'content', 'application/json', 'schema'];
const NAME = ['components', 'schemas', 'Plant', 'properties', 'name'];
const RESPONSES = ['components', 'responses'];
const getAnother = (parameter: object, operation: object = {}) => ({
  get: {
    operationId: 'getAnother',
    tags: ['plants'],
    summary: 'Get a plant',
    description: 'Gets a plant.',
    parameters: [
      {
        name: 'id',
        in: 'path',
        required: true,
        description: 'Its id.',
        schema: { type: 'integer' },
        ...parameter,
      },
    ],
    responses: {
      '204': { description: 'It is there.' },
      '400': { $ref: '#/components/responses/BadRequest' },
    },
    ...operation,
  },
});
const GET = ['paths', '/another/{id}'];
const inline = { type: 'object', description: 'Not an Error.' };

/** One way to break the contract: `to` at a place, or nothing there. */
interface Breach {
  readonly rule: string;
  readonly what: string;
  readonly at: readonly string[];
  readonly to?: unknown;
  /** What is said besides. */
  readonly besides?: readonly string[];
}

// prettier-ignore
const BREACHES: readonly Breach[] = [
  { rule: 'operation-operationId', what: 'an operation without an operationId', at: [...POST, 'operationId'] },
  { rule: 'operation-operationId-unique', what: 'an operationId twice', at: GET, to: getAnother({}, { operationId: 'createPlant' }) },
  { rule: 'operation-description', what: 'an operation without a description', at: [...POST, 'description'] },
  { rule: 'operation-summary', what: 'an operation without a summary', at: [...POST, 'summary'] },
  { rule: 'parameter-description', what: 'a parameter without a description', at: GET, to: getAnother({ description: undefined }) },
  { rule: 'tag-description', what: 'a tag without a description', at: ['tags', '0', 'description'] },
  { rule: 'rule/info-description', what: 'a contract without a description', at: ['info', 'description'] },
  { rule: 'rule/request-body-description', what: 'a request body without a description', at: [...BODY, 'description'] },
  { rule: 'rule/response-description', what: 'a response whose description is empty', at: [...CONFLICT, 'description'], to: '' },
  { rule: 'rule/header-description', what: 'a header without a description', at: ['components', 'headers', 'RequestId', 'description'] },
  { rule: 'rule/security-scheme-description', what: 'a security scheme without a description', at: ['components', 'securitySchemes', 'bearerAuth', 'description'] },
  { rule: 'rule/schema-description', what: 'a schema without a description', at: ['components', 'schemas', 'NewPlant', 'description'] },
  { rule: 'rule/property-description', what: 'a property without a description', at: [...NAME, 'description'] },
  { rule: 'no-invalid-media-type-examples', what: 'an example of a body that its schema refuses', at: [...BODY, 'content', 'application/json', 'examples', 'withTag', 'value', 'id'], to: 'one' },
  { rule: 'no-invalid-parameter-examples', what: 'an example of a parameter that its schema refuses', at: GET, to: getAnother({ example: 'one' }) },
  { rule: 'no-invalid-schema-examples', what: 'an example of a schema that it refuses', at: [...NAME, 'examples'], to: [1] },
  { rule: 'rule/error-body', what: 'an error without a body', at: [...CONFLICT, 'content'] },
  { rule: 'rule/error-shape', what: 'an error without a schema', at: CONFLICT_SCHEMA },
  { rule: 'rule/error-shape', what: 'an error with a schema of its own', at: CONFLICT_SCHEMA, to: inline },
  { rule: 'rule/error-shape', what: 'an error with another schema of the components', at: [...CONFLICT, 'content', 'application/json'], to: { schema: { $ref: '#/components/schemas/Plant' } } },
  { rule: 'rule/error-shape', what: 'a default response with another schema', at: [...POST, 'responses', 'default'], to: { description: 'Else.', content: { 'application/json': { schema: inline } } } },
  { rule: 'rule/error-shape', what: 'a shared error with another schema', at: [...RESPONSES, 'BadRequest', 'content', 'application/json', 'schema'], to: inline },
  { rule: 'rule/error-shape', what: 'an error of no operation with another schema', at: [...RESPONSES, 'NotFound', 'content', 'application/json', 'schema'], to: inline },
  { rule: 'security-defined', what: 'an operation without security', at: ['security'], besides: ['no-unused-components'] },
  { rule: 'security-defined', what: 'an operation with an undeclared security scheme', at: [...POST, 'security'], to: [{ nobody: [] }] },
  { rule: 'security-defined', what: 'a contract with an undeclared security scheme', at: ['security'], to: [{ nobody: [] }], besides: ['no-unused-components'] },
  { rule: 'no-unused-components', what: 'a component that nothing uses', at: ['components', 'schemas', 'Unused'], to: { type: 'string', description: 'Unused.' } },
];

/** The contracts that must pass: ours, and with an operation that anyone may call. */
const SOUND = [
  { what: 'the contract', at: ['x-nothing'] },
  { what: 'one with a parameter', at: GET, to: getAnother({ example: 1 }) },
  { what: 'one with an operation for anyone', at: GET, to: getAnother({}, { security: [] }) },
];

function edited({ at, to }: Pick<Breach, 'at' | 'to'>): string {
  const document = parseDocument(contract);
  if (to === undefined) document.deleteIn(at);
  else document.setIn(at, JSON.parse(JSON.stringify(to)));
  return document.toString();
}

interface Problem {
  readonly ruleId: string;
  readonly severity: string;
  readonly location: readonly { readonly source: { readonly ref: string } }[];
}

/** The rules that each contract breaks. One process for all of them: its start takes a second. */
function lint(contracts: readonly string[]): string[][] {
  const folder = mkdtempSync(join(tmpdir(), 'contract-lint-'));
  const files = contracts.map((text, index) => {
    const path = join(folder, `${index}.yaml`);
    writeFileSync(path, text);
    return path;
  });
  const { stdout } = spawnSync(
    process.execPath,
    ['node_modules/@redocly/cli/bin/cli.js', 'lint', ...files, '--format=json'],
    {
      cwd: ROOT,
      encoding: 'utf8',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  );
  rmSync(folder, { recursive: true });
  const broken = contracts.map(() => new Set<string>());
  for (const report of stdout.split(/(?<=^\})(?=\{)/m)) {
    const { problems } = JSON.parse(report) as { problems: Problem[] }; // Redocly's --format=json
    for (const { ruleId, severity, location } of problems) {
      const index = Number(basename(location[0]?.source.ref ?? '', '.yaml'));
      broken[index]?.add(severity === 'error' ? ruleId : `${severity}: ${ruleId}`);
    }
  }
  return broken.map((rules) => [...rules].sort());
}

describe('npm run check:contract', () => {
  let broken: string[][];

  beforeAll(() => {
    broken = lint([...BREACHES, ...SOUND].map(edited));
  }, 60_000);

  it.each(BREACHES.map((breach, index) => ({ ...breach, index })))(
    'refuses $what by $rule',
    ({ rule, besides = [], index }) => {
      expect(broken[index]).toEqual([rule, ...besides].sort());
    },
  );

  it.each(SOUND.map((sound, index) => ({ ...sound, index })))('passes $what', ({ index }) => {
    expect(broken[BREACHES.length + index]).toEqual([]);
  });

  it('has a breach for every rule that redocly.yaml names', () => {
    const { rules } = parse(readFileSync(join(ROOT, 'redocly.yaml'), 'utf8')) as {
      rules: Record<string, unknown>;
    };

    expect([...new Set(BREACHES.map(({ rule }) => rule))].sort()).toEqual(
      Object.keys(rules)
        .filter((rule) => rules[rule] !== 'off')
        .sort(),
    );
  });
});
