/** The files of the repository, by their paths. */
export type ReadFile = (path: string) => string;

/** Where else the version of the service stands, and the text before it. */
const MENTIONS: Readonly<Record<string, RegExp>> = {
  'api/openapi.yaml': /^ {2}version: (\S+)$/m,
  'deploy/compose.yaml': /^ {2}image: plant-store:(\S+)$/m,
  'deploy/kubernetes/plant-store.yaml': /^ +image: plant-store:(\S+)$/m,
};
/** `## 1.0.0 (2026-11-22)`; before the release it has `unreleased` in place of the day. */
const HEADING = /^## (\S+) \((unreleased|\d{4}-\d{2}-\d{2})\)$/m;

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export interface ReleaseOptions {
  /** The names of the packages, each of them that of its folder. */
  readonly packages: readonly string[];
  /** Whether each changelog has to have the day. */
  readonly isFinal: boolean;
}

/**
 * What keeps the files from being released as one version, a line each: versions that differ, or a
 * changelog without it.
 */
export function releaseProblems(read: ReadFile, { packages, isFinal }: ReleaseOptions): string[] {
  const { version } = manifestOf(read, 'package.json');
  const problems: string[] = [];
  const expect = (place: string, found: string | undefined, expected = version): void => {
    if (found !== expected) problems.push(`${place} is ${found ?? 'missing'}, not ${expected}`);
  };

  for (const folder of ['.', ...packages.map((name) => `packages/${name}`)]) {
    const path = folder === '.' ? '' : `${folder}/`;
    const manifest = manifestOf(read, `${path}package.json`);
    expect(`the version in ${path}package.json`, manifest.version);
    const dependencies = { ...manifest.dependencies, ...manifest.devDependencies };
    for (const name of packages.filter((name) => name in dependencies)) {
      expect(`${name} in ${path}package.json`, dependencies[name]);
    }
    const [, newest, day] = HEADING.exec(read(`${path}CHANGELOG.md`)) ?? [];
    expect(`the newest version in ${path}CHANGELOG.md`, newest);
    if (isFinal && day === 'unreleased')
      problems.push(`${path}CHANGELOG.md calls ${version} unreleased, where its day should stand`);
  }
  for (const [path, pattern] of Object.entries(MENTIONS)) {
    expect(`the version in ${path}`, pattern.exec(read(path))?.[1]);
  }
  return problems;
}

function manifestOf(read: ReadFile, path: string): Manifest {
  return JSON.parse(read(path)) as Manifest;
}
