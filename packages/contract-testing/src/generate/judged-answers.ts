import fc from 'fast-check';
import { answersOf, type Answer } from './answers.js';
import { breakages } from './broken-values.js';
import type { Contract } from './contract.js';
import type { DeclaredResponse, Operation } from './operation.js';
import { Items } from './items.js';
import { exchangeOf, type Judge } from './judge.js';
import { writeJson, type Json } from './json.js';
import type { TestRequest } from './request.js';
import { Schemas } from './schemas.js';
import { Values } from './values.js';

const SAMPLES = 60;
const HEADER_TEXTS = ['', '-1', 'Basic x'];

/** Answers of every declared status to a request, and whether they are what the contract says. */
export function judgedAnswers(
  contract: Contract,
  operation: Operation,
  request: TestRequest,
  judge: Judge,
): { answer: Answer; isRight: boolean }[] {
  const values = new Values(new Schemas(contract.root, 'response'));
  return [...operation.responses].flatMap(([status, declared]) =>
    answersOf(Number(status), declared, values)
      .flatMap((answers) => richest(fc.sample(answers, { numRuns: SAMPLES, seed: 1 })))
      // A stream has begun when an item turns out to be broken, so no status says so.
      .filter(({ body }) => !(body instanceof Items))
      .flatMap((answer) => [
        answer,
        ...withOtherBodies(values.schemas, declared, answer),
        ...declared.headers.flatMap(({ name }) => withOtherHeader(answer, name)),
      ])
      .map((answer) => ({
        answer,
        isRight: judge(exchangeOf(request, sentAs(answer))).length === 0,
      })),
  );
}

/** The one answer with the most members and headers. */
function richest(answers: readonly Answer[]): Answer[] {
  const size = ({ headers, body }: Answer): number =>
    Object.keys(headers).length + Object.keys(Object(body) as object).length;
  return [...answers].sort((one, other) => size(other) - size(one)).slice(0, 1);
}

function withOtherBodies(
  schemas: Schemas,
  { content }: DeclaredResponse,
  answer: Answer,
): Answer[] {
  const schema = content.get(answer.contentType ?? '')?.schema ?? true;
  const wrong = breakages(schemas, schema, answer.body as Json).filter(
    ({ value }) => !schemas.accepts(schema, value),
  );
  // One of each way is enough: to send them all would take most of the time.
  const byWay = new Map(wrong.reverse().map(({ what, value }) => [what, value]));
  return [...byWay.values()].map((value) => ({ ...answer, body: value }));
}

function withOtherHeader(answer: Answer, name: string): Answer[] {
  const others = Object.entries(answer.headers).filter(([other]) => other !== name);
  return [
    { ...answer, headers: Object.fromEntries(others) },
    ...HEADER_TEXTS.map((text) => ({ ...answer, headers: { ...answer.headers, [name]: text } })),
  ];
}

/** The response that an answer would be, were nobody to stop it. */
export function sentAs({ status, headers, contentType = '', body }: Answer) {
  const lowerCase = Object.entries(headers).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  return {
    status,
    headers: { ...Object.fromEntries(lowerCase), 'content-type': contentType },
    text: body === undefined ? '' : writeJson(body as Json),
  };
}
