const HEADERS_END = '\r\n\r\n';
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)\r\n/i;

/** Where the response ends that the text begins with; undefined while its headers are incomplete. */
export function responseEnd(text: string): number | undefined {
  const headersEnd = text.indexOf(HEADERS_END);
  if (headersEnd === -1) return undefined;
  const length = CONTENT_LENGTH.exec(text.slice(0, headersEnd + 2))?.[1];
  if (length === undefined) throw new Error('an answer has no Content-Length');
  return headersEnd + HEADERS_END.length + Number(length);
}
