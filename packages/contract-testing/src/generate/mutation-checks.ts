import fc from 'fast-check';
import { createCheck } from '../check.js';
import type { Answer } from './answers.js';
import type { Case } from './case.js';
import { groupedByName, successStatuses, valuesOf, waysToBreak } from './cases.js';
import { createVerdict } from './check.js';
import type { Contract } from './contract.js';
import type { Operation } from './operation.js';
import type { Members } from './members.js';
import { writeRequest, type Draft } from './draft.js';
import { writeJson, type Json } from './json.js';
import { createJudge } from './judge.js';
import { judgedAnswers, sentAs } from './judged-answers.js';
import type { Subject } from './suite.js';
import { validDrafts, type Caller } from './valid-requests.js';

/**
 * Holds a service that was given another contract against what the original says; the first thing that
 * is wrong, undefined where nothing is.
 */
export type MutationCheck = (mutant: Members) => Promise<string | undefined>;

/** A service that was given another contract; a sentence where it doesn't start with it. */
export type Started = Pick<Subject, 'client' | 'expect' | 'close'> | string;

/** Of each way to break something so many are tried. */
const VARIANTS = 2;
const SAMPLES = 60;

/**
 * Sends valid and broken requests of the original contract to the whole service.
 * @param serve starts the service with a mutant for its contract
 */
export function createRequestCheck(
  contract: Contract,
  operation: Operation,
  caller: Caller,
  serve: (mutant: Members) => Promise<Started>,
): MutationCheck {
  const judge = createJudge(createCheck({ contract: contract.root }));
  const cases = fixedCases(contract, operation, caller);
  return async (mutant) => {
    const started = await serve(mutant);
    if (typeof started === 'string') return started;
    const { client, expect, close } = started;
    const verdict = createVerdict({ client, judge, ...(expect && { expect }) });
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
    // Whether something of that name is there already, the contract can't say.
    statuses: [...successStatuses(operation), 404, 409],
    operation,
  }));
  return [...valid, ...broken];
}

/**
 * Has a handler answer what the original contract declares and what it doesn't: the service must send
 * the one, and 500 instead of the other.
 * @param serve starts the service with a mutant for its contract; its handler returns what `answer` does
 */
export function createResponseCheck(
  contract: Contract,
  operation: Operation,
  caller: Caller,
  serve: (mutant: Members, answer: () => Answer) => Promise<Started>,
): MutationCheck {
  const [draft] = fc.sample(validDrafts(contract, operation, valuesOf(contract), caller), {
    numRuns: 1,
    seed: 1,
  });
  if (draft === undefined) throw new Error('there is no request to answer');
  // Not by HEAD, whose answer has no body to be judged.
  const request = writeRequest({ ...draft, method: operation.method, accept: undefined });
  const judge = createJudge(createCheck({ contract: contract.root }));
  const answers = judgedAnswers(contract, operation, request, judge);
  return async (mutant) => {
    let answer: Answer = { status: 500, headers: {} };
    const started = await serve(mutant, () => answer);
    if (typeof started === 'string') return started;
    const { client, close } = started;
    try {
      for (const { answer: next, isRight } of answers) {
        answer = next;
        const { status, text } = await client.send(request);
        const isSent = status === next.status && text === sentAs(next).text;
        const isRefused = status === 500 && !isSent;
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

function show({ status, headers, body }: Answer): string {
  return writeJson({ status: BigInt(status), headers, body: body as Json });
}
