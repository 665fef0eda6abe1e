import type { SplitValue } from '../json/exact-integers.js';
import { writeAndRead } from '../json/json.js';
import type { DeclaredItems } from '../operation/items.js';
import { writeEvent } from './event-text.js';

/** RFC 7464 §2.2: a record separator begins each text of a sequence. */
export const RECORD_SEPARATOR = '\x1e';

/**
 * Makes of an item the text that leaves, and the value of that text, which is validated.
 * @throws TypeError, JsonError where it can't be written as something that is read back the same
 */
export function writeItem(declared: DeclaredItems, item: unknown): { text: string } & SplitValue {
  if (declared.sequence === 'events') return writeEvent(declared, item);
  const { text, value, integers } = writeAndRead(item);
  const begin = declared.sequence === 'json-seq' ? RECORD_SEPARATOR : '';
  return { text: `${begin}${text}\n`, value, integers };
}
