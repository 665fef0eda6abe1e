import type { Request, Response } from 'express';
import { ApiError, EngineCode, unforeseen } from '../api-error.js';
import type { ContractDocument } from '../document/document.js';
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
import type { SerializedResponse } from './write.js';

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

export function createItemResponder(
  document: ContractDocument,
  operation: Operation,
  validator: OperationValidator,
  streams: OpenStreams,
  { errorBody, onFault }: FaultOptions,
): RespondWithItems {
  const itemsOf = new Map(
    [...operation.responses.values()].map((response) => [
      response,
      listItems(document, Object.entries(response.content ?? {})),
    ]),
  );

  return async (req, res, { status, headers }, validated, items) => {
    const { declared, mediaType = '' } = validated;
    const ofItems = itemsOf.get(declared)?.get(mediaType);
    if (ofItems === undefined) throw new Error(`${mediaType} is not declared to have items`);
    const problems = await validator.validateResponse(validated);
    if (problems.length > 0) throw new BrokenResponseError(problems);
    if (!streams.open(res)) {
      throw new ApiError(EngineCode.tooManyStreams, 'too many streams are open', {
        'Retry-After': '1',
      });
    }
    const write = async (item: unknown, index: number): Promise<string> => {
      const { text, value, integers } = serializeItem(ofItems, item, index);
      const broken = await validator.validateResponse({
        ...{ declared, mediaType: itemMessage(mediaType) },
        value: { header: {}, body: value },
        integers: integers && { body: integers },
      });
      if (broken.length === 0) return text;
      throw new BrokenResponseError(broken.map((one) => placeProblem(ofItems, index, one)));
    };

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
        const isBroken = thrown instanceof BrokenResponseError;
        const fault = isBroken ? { problems: thrown.problems } : { error: thrown };
        onFault({ operationId: operation.operationId, status, item: index, ...fault }, res);
        if (ofItems.sequence !== 'events') return undefined;
        const error = thrown instanceof ApiError ? thrown : unforeseen(undefined);
        // The contract may declare such an event; if it doesn't, the client sees the connection break.
        try {
          return await write(errorEvent(errorBody(error), ofItems), index);
        } catch {
          return undefined;
        }
      },
      signal: streams.signalOf(res),
      areEvents: ofItems.sequence === 'events',
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
