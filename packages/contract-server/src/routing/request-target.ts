import type { IncomingMessage } from 'node:http';

/** RFC 9110 §7.2: `uri-host [ ":" port ]`, which may be empty. No user, no password. */
const HOST = /^(?:\[[\w.~!$&'()*+,;=:-]+\]|(?:[\w.~!$&'()*+,;=-]|%[\dA-Fa-f]{2})*)(?::\d*)?$/;
const ABSOLUTE_FORM = /^https?:\/\/([^/?#:][^/?#]*)(\/[^?#]*)?(\?[^#]*)?$/i;

/** Whether a request has one Host and a valid one; HTTP/1.0 needs none (RFC 9112 §3.2). */
export function hasValidHost({ rawHeaders, httpVersionMinor }: IncomingMessage): boolean {
  let host: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length !== 4 || name.toLowerCase() !== 'host') continue;
    if (host !== undefined) return false;
    host = rawHeaders[at + 1] ?? '';
  }
  return host === undefined ? httpVersionMinor === 0 : HOST.test(host);
}

/**
 * Rewrites a request whose target is a whole URL (absolute-form, RFC 9112 §3.2.2): the URL's path and
 * query become the target, its authority the Host, so that every reader of the target sees the same. Any
 * other target stays as it is; the router refuses those that aren't paths.
 */
export function takeOriginForm(req: IncomingMessage): void {
  const [, authority = '', path = '/', query = ''] = ABSOLUTE_FORM.exec(req.url ?? '') ?? [];
  if (authority === '' || !HOST.test(authority)) return;
  req.url = path + query;
  req.headers.host = authority;
}
