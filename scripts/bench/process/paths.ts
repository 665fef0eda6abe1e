import { fileURLToPath } from 'node:url';

/** The folder of the benchmarks' own package. */
export const BENCH = fileURLToPath(new URL('../', import.meta.url));

/** What node is started with, in the project's folder, to run a program that compile.ts translates. */
export function builtProgram(path: string): string {
  return `scripts/bench/dist/${path}.js`;
}
