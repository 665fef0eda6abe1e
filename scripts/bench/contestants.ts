/** A program that serves `POST /plants`, started as a process of its own. See contestants/setup.ts. */
export interface Contestant {
  readonly name: string;
  /** What it leaves out, or does otherwise, that a reader of the table has to know. */
  readonly about: string;
  /** What node is started with, in the project's folder. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** How many times its throughput ours must have. */
  readonly must?: number;
}

/** The one that the others are compared with. */
export const OURS = 'ours';

export const CONTESTANTS: readonly Contestant[] = [
  {
    name: OURS,
    about: 'as `npm start` runs it, but without a request log, which none of the others has',
    args: ['dist/src/main.js'],
    env: { LOG_LEVEL: 'warn' },
  },
  {
    name: 'ours with its log',
    about: 'as `npm start` runs it, its request log going to a file',
    args: ['dist/src/main.js'],
  },
  {
    name: 'tutorial',
    about: 'the same libraries as their own pages use them, one insert per request, no request log',
    args: program('tutorial.ts'),
    must: 8,
  },
  {
    name: 'tutorial + our store',
    about: 'the tutorial with group commit, no request log',
    args: program('tutorial-with-our-store.ts'),
    must: 4,
  },
  {
    name: 'bare',
    about: 'node:http, JSON.parse and our store, no check of anything: the limit',
    args: program('bare.ts'),
    must: 0.65,
  },
];

/** tsx translates a file once, when it is loaded, and costs nothing after that. */
function program(file: string): string[] {
  return ['--import', 'tsx', `scripts/bench/contestants/${file}`];
}
