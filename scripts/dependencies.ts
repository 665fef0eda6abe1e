/**
 * `npm run docs:dependencies` writes docs/dependencies.md from what is installed, and asks the registry for
 * the dates of releases; `-- --check` fails where the page isn't about what is installed, and asks
 * nobody.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { markdownTable } from './bench/report/table.js';
import { readCommandLine } from './command-line.js';

const PAGE = 'docs/dependencies.md';

/** Why the service has each of its dependencies. */
const REASONS: Readonly<Record<string, string>> = {
  '@apidevtools/json-schema-ref-parser': 'reads a contract of several files as one',
  '@opentelemetry/api': 'what the code calls of OpenTelemetry; does nothing without the SDK',
  '@opentelemetry/context-async-hooks': 'keeps which span a handler runs in',
  '@opentelemetry/core': 'reads and writes `traceparent` (W3C Trace Context)',
  '@opentelemetry/exporter-metrics-otlp-proto': 'sends metrics to a collector',
  '@opentelemetry/exporter-prometheus': 'writes metrics in Prometheus’ text format',
  '@opentelemetry/exporter-trace-otlp-proto': 'sends traces to a collector',
  '@opentelemetry/resources': 'says which service metrics and traces are of',
  '@opentelemetry/sdk-metrics': 'keeps metrics; loaded where telemetry is configured',
  '@opentelemetry/sdk-trace-base': 'makes spans; loaded where a collector is configured',
  '@photostructure/sqlite': 'the API of `node:sqlite` for Node before 22.13, with its binaries',
  '@fastify/busboy':
    'finds the parts of a `multipart/form-data` body; loaded where a contract has one',
  '@seriousme/openapi-schema-validator': 'holds a contract against the schema of OpenAPI at boot',
  '@eslint-community/regexpp': 'reads patterns, for values that match them in mock mode',
  '@types/express': 'the types that the engine’s own have in them',
  '@types/passport': 'the same',
  '@types/passport-http-bearer': 'the same',
  'content-type': 'parses `Content-Type` (RFC 9110 §8.3)',
  express: 'the HTTP framework',
  'express-openapi-validator': 'validates requests and responses by the contract',
  jose: 'verifies the JWTs of an OpenID provider; loaded where OIDC_ISSUER says so',
  passport: 'the strategies of security schemes',
  'passport-http-bearer': 'reads bearer tokens (RFC 6750)',
  pg: 'speaks with PostgreSQL; loaded where DATABASE_URL says so',
  pino: 'writes the log',
  'rate-limiter-flexible': 'counts the requests of callers; loaded where RATE_LIMIT is set',
  yaml: 'reads YAML, with the places that problems are reported at',
};

interface Manifest {
  readonly version: string;
  readonly license?: string;
  /** As old packages have it. */
  readonly licenses?: readonly { readonly type: string }[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const USAGE = `usage: npm run docs:dependencies [-- --check]
  --check  writes nothing, and fails where ${PAGE} isn't about what is installed`;

const { values: options } = readCommandLine(USAGE, (args) =>
  parseArgs({ args, options: { check: { type: 'boolean', default: false } } }),
);
/** The service's own, and those of the packages of this repository that it is made with. */
const OWN = ['contract-server', 'contract-docs', 'contract-telemetry'];
const names = ['.', ...OWN.map((name) => `packages/${name}`)]
  .map(readManifest)
  .flatMap(({ dependencies, optionalDependencies }) =>
    Object.keys({ ...dependencies, ...optionalDependencies }),
  )
  .filter((name, index, all) => !OWN.includes(name) && all.indexOf(name) === index)
  .sort();

if (!options.check) writeFileSync(PAGE, page(names, releaseDate));
else {
  const written = readFileSync(PAGE, 'utf8');
  if (page(names, (name) => writtenDate(written, name)) !== written) {
    console.error(
      `${PAGE} is not about what is installed: run "npm run docs:dependencies" and commit it.`,
    );
    process.exitCode = 1;
  }
}

function page(packages: readonly string[], dateOf: (name: string) => string): string {
  const rows = packages.map((name) => {
    const folder = join('node_modules', name);
    const { version, licenses = [], license = licenses[0]?.type ?? 'none' } = readManifest(folder);
    const why = REASONS[name];
    if (why === undefined) throw new Error(`scripts/dependencies.ts has no reason for ${name}`);
    return [`\`${name}\``, version, dateOf(name), license, `${kilobytesOf(folder)}`, why];
  });
  const head = ['Package', 'Version', 'Last release', 'Licence', 'kB', 'Why'];
  return `# Dependencies

What the service depends on at runtime. \`npm run docs:dependencies\` writes this page, and \`npm run check\` compares it with what is installed. "Last release" is what the registry says of the package, whichever version is installed; kB are those of the installed package itself, on disk, without what it depends on.

${markdownTable([head, ...rows])}
`;
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest; // npm's format
}

/** When the registry got the package's latest version, as a date. */
function releaseDate(name: string): string {
  const output = execFileSync('npm', ['view', name, 'dist-tags', 'time', '--json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { 'dist-tags': tags, time } = JSON.parse(output) as {
    'dist-tags': { latest: string };
    time: Record<string, string>;
  }; // npm's format
  return time[tags.latest]?.slice(0, 10) ?? 'unknown';
}

function writtenDate(written: string, name: string): string {
  const row = written.split('\n').find((line) => line.startsWith(`| \`${name}\` `));
  return row?.split('|')[3]?.trim() ?? 'unknown';
}

function kilobytesOf(folder: string): number {
  const sizes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.split('/').includes('node_modules'))
    .map((path) => statSync(join(folder, path)))
    .filter((entry) => entry.isFile())
    .map(({ size }) => size);
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1000);
}
