import type { ContractDocument } from '../document/document.js';
import { ApiError, EngineCode } from '../exchange/api-error.js';
import { longTurn } from '../exchange/long-turn.js';
import { eventValue, givenEvent, type EventFields } from '../items/event-text.js';
import { placeProblem } from '../items/place-problem.js';
import { SequenceError, splitItems } from '../items/split-items.js';
import type { SplitValue } from '../json/exact-integers.js';
import { JsonError } from '../json/json-value.js';
import { readJson } from '../json/json.js';
import { listItems, type DeclaredItems } from '../operation/items.js';
import { itemMessage, requestSchema } from '../operation/message-schema.js';
import type { Operation } from '../operation/operation.js';
import { compileToHandler } from '../schema/handler-values.js';
import { schemaViolation } from '../validation/problem.js';
import type { OperationValidator } from '../validation/validator.js';
import { LARGE_BODY_BYTES } from './body.js';

/**
 * The items of a request's body, each judged before the handler gets it; read no faster than the handler
 * takes them.
 * @throws ApiError 400 that says which item is broken, and what the bytes throw
 */
export type ReadItems = (
  bytes: AsyncIterable<Uint8Array>,
  mediaType: string,
) => AsyncIterable<unknown>;

/** Of small items that came together so many are judged at once. */
const JUDGED_AT_ONCE = 100;

export function createItemReader(
  document: ContractDocument,
  operation: Operation,
  validator: OperationValidator,
  violationStatus: 400 | 422 | undefined,
): ReadItems {
  const readers = new Map(
    [...listItems(document, operation.requestBody?.content ?? [])].map(([mediaType, declared]) => [
      mediaType,
      { declared, judge: createJudge(mediaType, declared) },
    ]),
  );

  /** Resolves with an item as the handler gets it, or with why it gets none. */
  function createJudge(mediaType: string, declared: DeclaredItems) {
    const message = itemMessage(mediaType);
    const toBigints = compileToHandler(document, requestSchema(document, operation, message));
    return async (text: string | EventFields, index: number): Promise<Judged> => {
      if (typeof text === 'string' && text.length >= LARGE_BODY_BYTES) await longTurn();
      const item = parse(declared, text, index);
      if (item instanceof ApiError) return { error: item };
      const value = { ...NO_PARAMETERS, body: item.value };
      const integers = item.integers && { body: item.integers };
      const problems = await validator.validateRequest({ mediaType: message, value, integers });
      if (problems.length > 0) {
        const placed = problems.map((problem) => placeProblem(declared, index, problem));
        return { error: schemaViolation(placed, violationStatus) };
      }
      const give = givenEvent(declared, value.body);
      toBigints?.(value, integers);
      return { item: give(value.body) };
    };
  }

  return async function* (bytes, mediaType) {
    const reader = readers.get(mediaType);
    if (reader === undefined) throw new Error(`${mediaType} is not declared to have items`);
    const { declared, judge } = reader;
    let index = 0;
    try {
      for await (const texts of splitItems(bytes, declared.sequence)) {
        for (let from = 0; from < texts.length; from += JUDGED_AT_ONCE) {
          const some = texts.slice(from, from + JUDGED_AT_ONCE);
          for (const judged of await Promise.all(some.map((text) => judge(text, index++)))) {
            if ('error' in judged) throw judged.error;
            yield judged.item;
          }
        }
      }
    } catch (error) {
      if (!(error instanceof SequenceError)) throw error;
      throw new ApiError(EngineCode.malformedJson, `the body is broken: ${error.message}`);
    }
  };
}

type Judged = { readonly item: unknown } | { readonly error: ApiError };

const NO_PARAMETERS = { path: {}, query: {}, header: {}, cookie: {} };

function parse(
  declared: DeclaredItems,
  text: string | EventFields,
  index: number,
): SplitValue | ApiError {
  if (typeof text !== 'string') return eventValue(declared, text);
  try {
    // RFC 7464 §2.4: such a text is whole only if something follows it.
    if (declared.sequence === 'json-seq' && /[\w.+-]$/.test(text)) {
      throw new JsonError('it has no line feed after it, and may be cut off');
    }
    return readJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const pointer = `/body/${index}`;
    const message = `is not valid JSON: ${error.message}`;
    return new ApiError(
      EngineCode.malformedJson,
      `body /${index}: ${message}`,
      {},
      { cause: error, problems: [{ pointer, message }] },
    );
  }
}
