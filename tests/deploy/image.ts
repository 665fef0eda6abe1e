import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { notIgnored, type Stage } from './dockerfile.js';

/** What a container would be started with. */
export interface Image {
  /** The folder that is its root. */
  readonly root: string;
  readonly workingDirectory: string;
  readonly env: Readonly<Record<string, string>>;
  /** Such as `65532:65532`. */
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
}

export interface BuildOptions {
  /** Makes the root of a base image, by its name. */
  readonly makeRoot: (base: string, root: string) => void;
  /** The repository. */
  readonly context: string;
  /** Where the roots go. */
  readonly folder: string;
}

/** Builds the stages of a Dockerfile as Docker does, each in a root of its own; returns the last. */
export function buildImage(stages: readonly Stage[], options: BuildOptions): Image {
  const roots = new Map<string, string>();
  let image: Image | undefined;
  for (const [n, stage] of stages.entries()) {
    const root = join(options.folder, `stage-${n}`);
    options.makeRoot(stage.base, root);
    roots.set(stage.name, root);
    image = buildStage(stage, root, roots, options);
  }
  if (image === undefined) throw new Error('there is no stage');
  return image;
}

function buildStage(
  { instructions }: Stage,
  root: string,
  roots: ReadonlyMap<string, string>,
  { context }: BuildOptions,
): Image {
  const env: Record<string, string> = {};
  let workingDirectory = '/';
  let user = '0:0';
  let entrypoint: string[] = [];
  let command: string[] = [];
  let healthCheck: string[] = [];

  function copy(text: string, { from, chown }: Readonly<Record<string, string>>): void {
    const words = text.split(' ');
    const target = join(root, resolve(workingDirectory, words.at(-1) ?? ''));
    const isFolder = text.endsWith('/');
    for (const source of words.slice(0, -1)) {
      const found = from === undefined ? source : join(roots.get(from) ?? '', source);
      const to = isFolder ? join(target, source.split('/').at(-1) ?? '') : target;
      if (from === undefined) copyContext(context, found, to);
      else cpSync(found, to, { recursive: true, verbatimSymlinks: true });
      if (chown !== undefined) execFileSync('chown', ['--recursive', chown, to]);
    }
  }

  for (const { name, flags, text } of instructions) {
    if (name === 'WORKDIR') {
      workingDirectory = resolve(workingDirectory, text);
      mkdirSync(join(root, workingDirectory), { recursive: true });
    } else if (name === 'ENV') {
      for (const pair of text.split(' ')) {
        const [variable = '', value = ''] = pair.split('=');
        env[variable] = value;
      }
    } else if (name === 'COPY') copy(text, flags);
    else if (name === 'RUN') runIn(root, workingDirectory, env, text);
    else if (name === 'USER') user = text;
    else if (name === 'ENTRYPOINT') entrypoint = JSON.parse(text) as string[];
    else if (name === 'CMD') command = JSON.parse(text) as string[];
    else if (name === 'HEALTHCHECK')
      healthCheck = JSON.parse(text.replace(/^CMD /, '')) as string[];
    else if (!['EXPOSE', 'VOLUME'].includes(name)) throw new Error(`${name} is not known here`);
  }
  return { root, workingDirectory, env, user, entrypoint, command, healthCheck };
}

/** Copies what git has, and Docker would be sent, of a path of the repository. */
function copyContext(context: string, source: string, target: string): void {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', source],
    {
      cwd: context,
      encoding: 'utf8',
    },
  );
  const files = notIgnored(listed.trim().split('\n'), join(context, '.dockerignore'));
  if (files.length === 0) throw new Error(`nothing is sent of ${source}`);
  for (const file of files) {
    const to = join(target, relative(source, file));
    mkdirSync(dirname(to), { recursive: true });
    cpSync(join(context, file), to);
  }
}

/** Runs a command of the shell in a root, with nothing of this machine but its devices and its network. */
function runIn(
  root: string,
  workingDirectory: string,
  env: Readonly<Record<string, string>>,
  command: string,
): void {
  const mounts = `mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc"`;
  execFileSync(
    'unshare',
    [
      ...['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c'],
      `${mounts} && exec chroot "$0" "$@"`,
      ...[root, 'env', '-i', `--chdir=${workingDirectory}`],
      ...Object.entries({ ...BUILD_ENV, ...env }).map(([name, value]) => `${name}=${value}`),
      ...['sh', '-c', command],
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
}

const BUILD_ENV = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
  // Of this machine, where it knows other authorities than Debian does.
  NODE_EXTRA_CA_CERTS: '/etc/ssl/certs/ca-certificates.crt',
};

/** A folder for roots; `remove` takes it away. */
export function createRootsFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'plants-image-'));
  return {
    path,
    remove() {
      rmSync(path, { recursive: true, force: true });
    },
  };
}
