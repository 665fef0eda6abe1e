import { rawCreate } from '../../support/raw-http.js';

/** Bytes that one reader may take for another number of requests than the next one does. */
export interface Attack {
  readonly name: string;
  readonly bytes: string;
}

/** The request of each attack that is to be smuggled has this in its `X-Request-Id`. */
export const SMUGGLED = 'smuggled';

/**
 * The classic disagreements about where a request ends, each with a whole create, and with the beginning
 * of one that swallows what follows it.
 */
export function attacks(token: string): Attack[] {
  const whole = rawCreate(token, '{"id":-1,"name":"smuggled"}', { 'X-Request-Id': SMUGGLED });
  const beginning = rawCreate(token, '{"id":-2,"name":"', {
    'X-Request-Id': SMUGGLED,
    'Content-Length': '400',
  });
  return [
    ...framings(token, whole).map(({ name, bytes }) => ({ name: `${name}, whole`, bytes })),
    ...framings(token, beginning).map(({ name, bytes }) => ({ name: `${name}, begun`, bytes })),
  ];
}

function framings(token: string, inner: string): Attack[] {
  const head = [
    'POST /plants HTTP/1.1',
    'Host: example.com',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
  ].join('\r\n');
  const hidden = `0\r\n\r\n${inner}`;
  const chunk = `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`;
  const bothWays = (name: string, coding: string): Attack[] => [
    {
      name: `CL.TE, ${name}`,
      bytes: `${head}\r\nContent-Length: ${hidden.length}\r\n${coding}\r\n\r\n${hidden}`,
    },
    { name: `TE.CL, ${name}`, bytes: `${head}\r\nContent-Length: 4\r\n${coding}\r\n\r\n${chunk}` },
    { name: `TE alone, ${name}`, bytes: `${head}\r\n${coding}\r\n\r\n${hidden}` },
  ];
  const lengths = (name: string, lines: string): Attack => ({
    name: `Content-Length ${name}`,
    bytes: `${head}\r\n${lines}\r\n\r\n${inner}`,
  });
  const chunked = (name: string, body: string): Attack => ({
    name: `chunks with ${name}`,
    bytes: `${head}\r\nTransfer-Encoding: chunked\r\n\r\n${body}${inner}`,
  });
  const N = inner.length;
  return [
    ...bothWays('plain', 'Transfer-Encoding: chunked'),
    ...bothWays('twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity'),
    ...bothWays('in a list', 'Transfer-Encoding: identity, chunked'),
    ...bothWays('not last', 'Transfer-Encoding: chunked, identity'),
    ...bothWays('unknown', 'Transfer-Encoding: xchunked'),
    ...bothWays('space before the colon', 'Transfer-Encoding : chunked'),
    ...bothWays('tab', 'Transfer-Encoding:\tchunked'),
    ...bothWays('vertical tab', 'Transfer-Encoding: \u000bchunked'),
    ...bothWays('NUL', 'Transfer-Encoding: chunked\u0000'),
    ...bothWays('quoted', 'Transfer-Encoding: "chunked"'),
    ...bothWays('folded name', 'X: y\r\n Transfer-Encoding: chunked'),
    ...bothWays('folded value', 'Transfer-Encoding:\r\n chunked'),
    ...bothWays('bare LF before', 'X: y\nTransfer-Encoding: chunked'),
    ...bothWays('bare CR before', 'X: y\rTransfer-Encoding: chunked'),
    ...bothWays('underscore', 'Transfer_Encoding: chunked'),
    ...bothWays('a hop of its own', 'Connection: Content-Length\r\nTransfer-Encoding: chunked'),
    lengths('twice', `Content-Length: 0\r\nContent-Length: ${N}`),
    lengths('in a list', `Content-Length: 0, ${N}`),
    lengths('the same twice', 'Content-Length: 0\r\nContent-Length: 0'),
    lengths('with a sign', 'Content-Length: +0'),
    lengths('negative', 'Content-Length: -1'),
    lengths('in hexadecimal', 'Content-Length: 0x0'),
    lengths('beyond 64 bits', 'Content-Length: 18446744073709551616'),
    lengths('with a space inside', `Content-Length: 0 ${N}`),
    lengths('folded', `Content-Length: 0\r\n ${N}`),
    lengths('a hop of its own', `Connection: Content-Length\r\nContent-Length: 0`),
    chunked('an extension', '0;a=b\r\n\r\n'),
    chunked('a bare LF in an extension', `2;\n{}\r\n0\r\n\r\n`),
    chunked('bare LFs', '2\n{}\n0\n\n'),
    chunked('a bare CR', '2\r{}\r\n0\r\n\r\n'),
    chunked('a size beyond 64 bits', '10000000000000002\r\n{}\r\n0\r\n\r\n'),
    chunked('a size with a prefix', '0x2\r\n{}\r\n0\r\n\r\n'),
    chunked('a size with spaces', '2 \r\n{}\r\n0\r\n\r\n'),
    chunked('a size that is negative', '-1\r\n{}\r\n0\r\n\r\n'),
    chunked('more than its size', '1\r\n{}\r\n0\r\n\r\n'),
    chunked('a trailer that frames', `2\r\n{}\r\n0\r\nContent-Length: ${N}\r\n\r\n`),
    {
      name: 'HTTP/1.0 in chunks',
      bytes: `${head.replace('1.1', '1.0')}\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n${hidden}`,
    },
    { name: 'no length', bytes: `${head}\r\n\r\n${inner}` },
    {
      name: 'a GET with a body',
      bytes: `GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: ${N}\r\n\r\n${inner}`,
    },
    {
      name: 'Expect',
      bytes: `${head}\r\nExpect: 100-continue\r\nContent-Length: ${N}\r\n\r\n${inner}`,
    },
    {
      name: 'Upgrade',
      bytes: `GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n${inner}`,
    },
    {
      name: 'Upgrade to h2c',
      bytes: `GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n${inner}`,
    },
    {
      name: 'an end of line in the target',
      bytes: `GET /healthz?\rX HTTP/1.1\r\nHost: a\r\n\r\n${inner}`,
    },
  ];
}
