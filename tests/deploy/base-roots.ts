import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fetchNode } from '../../scripts/test-nodes/runtime.js';

/** Outside the tree, so that a fresh clone doesn't fetch them again. */
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'plant-store', 'roots');
const MIRROR = 'http://deb.debian.org/debian';
/** What the image has of Debian, by its own list. */
const DISTROLESS = [
  'base-files',
  'ca-certificates',
  'gcc-12-base',
  'libc6',
  'libgcc-s1',
  'libgomp1',
  'libssl3',
  'libstdc++6',
  'media-types',
  'netbase',
  'tzdata',
];

/**
 * Makes what stands for a base image where no registry is in reach: of the same distribution, from
 * Debian's own packages, and with the Node that the image's name says.
 */
export function makeRoot(base: string, root: string): void {
  const [, version] = /^node:([\d.]+)-bookworm-slim$/.exec(base) ?? [];
  if (version !== undefined) {
    copyRoot(debian(), root);
    putNode(version, root);
  } else if (base === 'gcr.io/distroless/cc-debian12:nonroot') {
    copyRoot(distroless(), root);
  } else throw new Error(`no root is known for ${base}`);
}

/** With owners, links and devices. */
function copyRoot(from: string, to: string): void {
  execFileSync('cp', ['--archive', from, to]);
}

function debian(): string {
  return cached('bookworm', (root) => {
    const options = ['--variant=minbase', '--include=ca-certificates'];
    execFileSync('debootstrap', [...options, 'bookworm', root, MIRROR], { stdio: 'ignore' });
  });
}

/** Packages as they are unpacked, without what installs them: no shell, no package manager. */
function distroless(): string {
  return cached('cc-debian12', (root) => {
    const packages = `${root}.packages`;
    mkdirSync(packages, { recursive: true });
    execFileSync('apt-get', ['download', ...DISTROLESS], { cwd: packages, stdio: 'ignore' });
    mkdirSync(root);
    execFileSync('sh', [
      '-c',
      `for deb in ${packages}/*.deb; do dpkg-deb --extract "$deb" "$0"; done`,
      root,
    ]);
    rmSync(packages, { recursive: true });
  });
}

function cached(name: string, make: (root: string) => void): string {
  const root = join(CACHE, name);
  if (!existsSync(root)) {
    mkdirSync(CACHE, { recursive: true });
    rmSync(`${root}.part`, { recursive: true, force: true });
    make(`${root}.part`);
    renameSync(`${root}.part`, root);
  }
  return root;
}

/** Node and its npm, where the image has them, and how this machine reaches the registry. */
function putNode(version: string, root: string): void {
  cpSync(fetchNode(version).executable, join(root, 'usr/local/bin/node'));
  const npm = execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim();
  cpSync(join(npm, 'npm'), join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  execFileSync('ln', [
    '-s',
    '../lib/node_modules/npm/bin/npm-cli.js',
    join(root, 'usr/local/bin/npm'),
  ]);
  cpSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'), { dereference: true });
  cpSync('/etc/ssl/certs/ca-certificates.crt', join(root, 'etc/ssl/certs/ca-certificates.crt'), {
    dereference: true,
  });
}
