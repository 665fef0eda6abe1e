/** How much of what a client sent a message quotes, in UTF-16 code units. */
const MAX_QUOTED_LENGTH = 200;

/**
 * A text of the client's, as a message may quote it: bounded, with `…` where it is cut, and well-formed
 * Unicode, whatever it was and wherever it is cut. Nothing else of a client's gets into a message.
 */
export function excerpt(text: string, maxLength = MAX_QUOTED_LENGTH): string {
  if (text.length <= maxLength) return text.toWellFormed();
  const start = text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
  return `${start.toWellFormed()}…`;
}
