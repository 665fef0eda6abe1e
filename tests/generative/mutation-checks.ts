import { createServer } from 'node:http';
import fc from 'fast-check';
import { errorBody } from '../../src/app.js';
import { ContractError, EngineCode, parseContract } from '../../src/contract/index.js';
import { createCheck } from '../support/contract/check.js';
import { oneToken, serveFixture } from '../support/fixture.js';
import { groupedByName, valuesOf, waysToBreak, type Case } from './cases.js';
import { createVerdict } from './check.js';
import type { Contract, Members, Operation } from './contract.js';
import { writeRequest, type Draft } from './draft.js';
import { writeJson, type Json } from './json.js';
import { createJudge } from './judge.js';
import { createPlantsModel } from './plants-model.js';
import { judgedAnswers, sentAs } from './judged-answers.js';
import { MAX_BODY_BYTES, servePlants } from './plants-service.js';
import { listen } from './served.js';
import type { Answer } from './stub-service.js';
import { validDrafts, type Caller } from './valid-requests.js';

/**
 * Holds a service that was given another contract against what the original says; the first thing that
 * is wrong, undefined where nothing is.
 */
export type MutationCheck = (mutant: Members) => Promise<string | undefined>;

/** Of each way to break something so many are tried. */
const VARIANTS = 2;
const SAMPLES = 60;
const TOKEN = 'a-token';

/** Sends valid and broken requests of the original contract to the whole service. */
export function createRequestCheck(contract: Contract, operation: Operation): MutationCheck {
  const judge = createJudge(createCheck({ contract: contract.root }));
  const caller = { secrets: { bearerAuth: TOKEN }, maxBodyBytes: MAX_BODY_BYTES };
  const cases = fixedCases(contract, operation, caller);
  return async (mutant) => {
    const started = await start(async () =>
      servePlants({ contract: await parseContract(mutant), verifyToken }),
    );
    if (typeof started === 'string') return started;
    const { client, close } = started;
    const verdict = createVerdict({ client, judge, expect: createPlantsModel() });
    try {
      for (const sent of cases) {
        const [problem] = await verdict(sent);
        if (problem !== undefined) return `${sent.broken}: ${problem}`;
      }
      return undefined;
    } finally {
      await close();
    }
  };
}

function verifyToken(token: string): { name: string } | undefined {
  return token === TOKEN ? { name: 'test' } : undefined;
}

/** Some valid requests, and of the one that can be broken in most ways a few variants of each. */
function fixedCases(contract: Contract, operation: Operation, caller: Caller): Case[] {
  const values = valuesOf(contract);
  const drafts = fc.sample(validDrafts(contract, operation, values, caller), {
    numRuns: SAMPLES,
    seed: 1,
  });
  const waysOf = (draft: Draft) =>
    groupedByName(waysToBreak(contract, values.schemas, draft, caller));
  const [richest] = drafts.map(waysOf).sort((one, other) => other.length - one.length);
  const broken = (richest ?? []).flatMap((group) =>
    group
      .flatMap(({ broken, make }) => ({ broken, ...make() }))
      .filter((one): one is Case => 'request' in one)
      .slice(0, VARIANTS),
  );
  const valid = drafts.slice(0, 5).map((draft) => ({
    broken: 'no part',
    request: writeRequest(draft),
    statuses: [200, 409],
    operation,
  }));
  return [...valid, ...broken];
}

/**
 * Has a handler answer what the original contract declares and what it doesn't: the engine must send
 * the one, and 500 instead of the other.
 */
export function createResponseCheck(contract: Contract, operation: Operation): MutationCheck {
  const caller = { secrets: { bearerAuth: TOKEN }, maxBodyBytes: MAX_BODY_BYTES };
  const [draft] = fc.sample(validDrafts(contract, operation, valuesOf(contract), caller), {
    numRuns: 1,
    seed: 1,
  });
  if (draft === undefined) throw new Error('there is no request to answer');
  const request = writeRequest({ ...draft, accept: undefined });
  const judge = createJudge(createCheck({ contract: contract.root }));
  const answers = judgedAnswers(contract, operation, request, judge);
  return async (mutant) => {
    let answer: unknown;
    const started = await start(() =>
      serveFixture(
        mutant,
        { [operation.operationId]: () => answer },
        { strategies: { bearerAuth: oneToken(TOKEN) }, errorBody },
      ),
    );
    if (typeof started === 'string') return started;
    const { client, close } = await listen(createServer(started.app));
    try {
      for (const { answer: next, isRight } of answers) {
        answer = next;
        const { status, text } = await client.send(request);
        const isSent = status === next.status && text === sentAs(next).text;
        const isRefused = status === 500 && text.includes(String(EngineCode.unforeseen));
        if (!(isRight ? isSent : isRefused)) {
          return `${status} ${text} to the ${isRight ? 'right' : 'wrong'} answer ${show(next)}`;
        }
      }
      return undefined;
    } finally {
      await close();
    }
  };
}

async function start<Service>(boot: () => Promise<Service>): Promise<Service | string> {
  try {
    return await boot();
  } catch (error) {
    if (error instanceof ContractError) return `it does not start: ${error.message}`;
    throw error;
  }
}

function show({ status, headers, body }: Answer): string {
  return writeJson({ status: BigInt(status), headers, body: body as Json });
}
