import type { OperationChange } from './schema/change.js';
import { isSameStructure, type Located } from './schema/same-structure.js';

/** Callbacks or webhooks: requests that the service sends and clients answer. */
export function diffOutbound(
  location: 'callbacks' | 'webhooks',
  old: Located,
  now: Located,
): OperationChange[] {
  if (isSameStructure(old, now)) return [];
  const why = 'what is sent to clients is not looked into, so any change counts';
  return [{ breaks: true, location, what: 'changed', why }];
}
