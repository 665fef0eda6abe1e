import type { Operation } from '../operation/operation.js';
import type { BodyLimits } from './body.js';

/** The limits of an operation's bodies by media type: `x-max-body-bytes` may say more than the service does. */
export function createLimitLookup(
  { requestBody }: Operation,
  common: BodyLimits,
): (mediaType: string) => BodyLimits {
  const own = new Map(
    [...(requestBody?.content ?? [])].flatMap(([mediaType, { 'x-max-body-bytes': maxBytes }]) =>
      typeof maxBytes === 'number'
        ? [[mediaType, { ...common, maxBodyBytes: maxBytes, timedBytes: common.maxBodyBytes }]]
        : [],
    ),
  );
  return (mediaType) => own.get(mediaType) ?? common;
}

/** Of the largest body that any of these operations takes. */
export function maxBodyBytesOf(operations: readonly Operation[], common: BodyLimits): number {
  const all = operations.flatMap((operation) => {
    const limitsOf = createLimitLookup(operation, common);
    return [...(operation.requestBody?.content.keys() ?? [])].map(limitsOf);
  });
  return Math.max(common.maxBodyBytes, ...all.map(({ maxBodyBytes }) => maxBodyBytes));
}
