import type { Request, Response } from 'express';
import type { ContractDocument } from '../document/document.js';
import { ApiError, EngineCode, unforeseen } from '../exchange/api-error.js';
import type { OpenStreams } from '../items/open-streams.js';
import { placeProblem } from '../items/place-problem.js';
import { sendItems } from '../items/send-items.js';
import { writeItem } from '../items/write-item.js';
import { writeJson } from '../json/json.js';
import { listItems, type DeclaredItems } from '../operation/items.js';
import { itemMessage } from '../operation/message-schema.js';
import type { Operation } from '../operation/operation.js';
import type { OperationValidator, ValidatedResponse } from '../validation/validator.js';
import { BrokenResponseError, type FaultOptions } from './fault.js';
import { discardBody } from './response-body.js';
import { breakOff, type SerializedResponse } from './write.js';

/**
 * Answers with items, each judged before it leaves. Resolves when the response has ended, whatever
 * became of the items.
 * @throws BrokenResponseError where the head breaks the contract, ApiError 503 where too many streams
 * are open; nothing has been sent then
 */
type RespondWithItems = (
  req: Request,
  res: Response,
  head: SerializedResponse,
  validated: ValidatedResponse,
  items: AsyncIterable<unknown>,
) => Promise<void>;

/** The text of an item that has been judged. Rejects with a BrokenResponseError where it is broken. */
export type WriteItem = (item: unknown, index: number) => Promise<string>;

/** What judges and writes the items of a response; undefined where its media type has none. */
export function createItemWriters(
  document: ContractDocument,
  operation: Operation,
  validator: OperationValidator,
): (
  response: ValidatedResponse,
) => { readonly declared: DeclaredItems; readonly write: WriteItem } | undefined {
  const itemsOf = new Map(
    [...operation.responses.values()].map((response) => [
      response,
      listItems(document, Object.entries(response.content ?? {})),
    ]),
  );
  return ({ declared, mediaType = '' }) => {
    const items = itemsOf.get(declared)?.get(mediaType);
    if (items === undefined) return undefined;
    const write: WriteItem = async (item, index) => {
      const { text, value, integers } = serializeItem(items, item, index);
      const broken = await validator.validateResponse({
        ...{ declared, mediaType: itemMessage(mediaType) },
        value: { header: {}, body: value },
        integers: integers && { body: integers },
      });
      if (broken.length === 0) return text;
      throw new BrokenResponseError(broken.map((one) => placeProblem(items, index, one)));
    };
    return { declared: items, write };
  };
}

export function createItemResponder(
  document: ContractDocument,
  operation: Operation,
  validator: OperationValidator,
  streams: OpenStreams,
  { errorBody, onFault }: FaultOptions,
): RespondWithItems {
  const writerOf = createItemWriters(document, operation, validator);

  return async (req, res, { status, headers }, validated, items) => {
    const writer = writerOf(validated);
    if (writer === undefined) throw new Error(`${validated.mediaType} is declared without items`);
    const { declared, write } = writer;
    const problems = await validator.validateResponse(validated);
    if (problems.length > 0) throw new BrokenResponseError(problems);
    if (!streams.open(res)) {
      throw new ApiError(EngineCode.tooManyStreams, 'too many streams are open', {
        'Retry-After': '1',
      });
    }

    res.writeHead(status, headers);
    if (req.method === 'HEAD') {
      discardBody(items);
      res.end();
      return;
    }
    // The client is to know that the stream is open, though its first item may be far away.
    res.flushHeaders();
    const { socket } = res;
    // A client that shuts its side of the connection has gone; only a write would tell otherwise.
    const onEnd = (): unknown => res.destroy();
    socket?.once('end', onEnd);
    await sendItems(res, {
      iterator: items[Symbol.asyncIterator](),
      write,
      async fail(thrown, index) {
        const { operationId } = operation;
        const isBroken = thrown instanceof BrokenResponseError;
        const fault = isBroken ? { problems: thrown.problems } : { error: thrown };
        onFault({ operationId, status, item: index, ...fault }, res);
        if (declared.sequence !== 'events') return undefined;
        const error = thrown instanceof ApiError ? thrown : unforeseen(undefined);
        // The contract may declare such an event; if it doesn't, the client sees the connection break.
        try {
          return await write(errorEvent(errorBody(error, operationId), declared), index);
        } catch {
          return undefined;
        }
      },
      breakOff: () => {
        breakOff(req, res);
      },
      signal: streams.signalOf(res),
      areEvents: declared.sequence === 'events',
      heartbeatMs: streams.heartbeatMs,
    });
    socket?.off('end', onEnd);
  };
}

/** @throws BrokenResponseError where it isn't anything that can be sent */
function serializeItem(
  declared: DeclaredItems,
  item: unknown,
  index: number,
): ReturnType<typeof writeItem> {
  try {
    return writeItem(declared, item);
  } catch (error) {
    throw new BrokenResponseError([{ pointer: `/body/${index}`, message: String(error) }]);
  }
}

function errorEvent(body: unknown, { isJson }: DeclaredItems): object {
  return { event: 'error', data: isJson === undefined ? writeJson(body) : body };
}
