import type { CallFrame } from './self-times.js';

/** Packages by what they are there for; any other goes by its own name. */
const PACKAGES: Readonly<Record<string, string>> = {
  express: 'express',
  router: 'express',
  'body-parser': 'express',
  'raw-body': 'express',
  finalhandler: 'express',
  passport: 'passport',
  'passport-http-bearer': 'passport',
  'express-openapi-validator': 'validator',
  ajv: 'validator',
  'ajv-formats': 'validator',
  '@photostructure/sqlite': 'store',
};

/** Our own code by its folder, the first that fits. */
const FOLDERS: readonly (readonly [string, string])[] = [
  ['/dist/src/contract/json/', 'JSON'],
  ['/dist/src/contract/', 'our own code: contract'],
  ['/dist/src/auth/', 'our own code: auth'],
  ['/dist/src/server/', 'our own code: server'],
  ['/dist/src/plants/', 'store'],
  ['/scripts/bench/dist/', "the contestant's own code"],
];

/**
 * What a function's own time counts as, by where the function comes from.
 * @param caller the group of the function that called it
 */
export function groupOf({ functionName, url }: CallFrame, caller: string): string {
  if (functionName === '(garbage collector)') return 'garbage collector';
  // The profiler's names for what isn't JavaScript, and for nothing at all.
  if (/^\((program|idle|root)\)$/.test(functionName)) return functionName;
  // Built in, or made by `new Function` as ajv's are: part of whatever called it.
  if (url === '') return caller === 'node' ? 'node, what is native in it' : caller;
  if (url.startsWith('node:')) return 'node';
  const packageName = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (packageName !== undefined) return PACKAGES[packageName] ?? packageName;
  return FOLDERS.find(([folder]) => url.includes(folder))?.[1] ?? 'our own code';
}
