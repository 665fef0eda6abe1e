/**
 * `npm run bench:jwt`: what it costs to find out whose a JWT is, when its signature has to be verified and
 * when it is in the cache, beside an opaque token of the file.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createBearerVerifier,
  createToken,
  createTokenVerifier,
  type VerifyBearer,
} from '../src/auth/index.js';
import { AUDIENCE, makeKey, startIssuer } from '../tests/support/issuer.js';

const USAGE = `usage: npm run bench:jwt
Takes no options; measures for half a minute.`;
if (process.argv.includes('--help') || process.argv.includes('-h')) {
  console.log(USAGE);
  process.exit(0);
}

const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];
/** So many tokens, each another one, and as many times one that was seen. */
const TOKENS = 4000;
const AT_ONCE = 64;
const ROUNDS = 5;

const tokensFile = join(mkdtempSync(join(tmpdir(), 'bench-')), 'tokens');
const opaque = createToken(tokensFile, 'bench');
const issuer = await startIssuer();

/** A verifier that has the issuer's keys, and an empty cache. */
function createVerifier(): Promise<VerifyBearer> {
  return new Promise((resolve, reject) => {
    const verify = createBearerVerifier(
      { oidcIssuer: issuer.url, oidcAudience: AUDIENCE },
      createTokenVerifier(tokensFile),
      {
        debug: () => undefined,
        info: () => {
          resolve(verify);
        },
        warn: reject,
      },
    );
  });
}

/** Microseconds of processor time, of all threads, and of time on the clock, for each token. */
async function measure(
  verify: VerifyBearer,
  tokens: readonly string[],
): Promise<readonly [number, number]> {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  for (let at = 0; at < tokens.length; at += AT_ONCE) {
    const principals = await Promise.all(
      tokens.slice(at, at + AT_ONCE).map(async (token) => verify(token)),
    );
    if (principals.includes(undefined)) throw new Error('a token of the benchmark is refused');
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  const elapsedUs = (performance.now() - startedAt) * 1000;
  return [(user + system) / tokens.length, elapsedUs / tokens.length];
}

/** The medians of several rounds, after one to warm up. */
async function report(name: string, tokens: readonly string[], isCached: boolean): Promise<void> {
  const rounds: (readonly [number, number])[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const verify = await createVerifier();
    if (isCached) await verify(tokens[0] ?? '');
    rounds.push(await measure(verify, tokens));
  }
  const [cpu, clock] = [0, 1].map((figure) => {
    const sorted = rounds.slice(1).map((round) => round[figure] ?? NaN);
    return (sorted.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? NaN).toFixed(1);
  });
  console.log(`${name}: ${cpu} µs of processor time, ${clock} µs on the clock`);
}

await report('an opaque token', new Array<string>(TOKENS).fill(opaque), false);
for (const alg of ALGORITHMS) {
  issuer.keys = [await makeKey(alg, alg)];
  const different = await Promise.all(
    Array.from({ length: TOKENS }, (_, n) => issuer.sign({ sub: `user ${n}`, client_id: 'app' })),
  );
  await report(`${alg}, verified`, different, false);
  await report(`${alg}, cached`, new Array<string>(TOKENS).fill(different[0] ?? ''), true);
}
await issuer.down();
