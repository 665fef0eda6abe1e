import type { Json } from './json.js';

/** What a handler is meant to get: by location and name, and the body. */
export interface Meaning {
  readonly path: Readonly<Record<string, Json>>;
  readonly query: Readonly<Record<string, Json>>;
  readonly header: Readonly<Record<string, Json>>;
  readonly cookie: Readonly<Record<string, Json>>;
  readonly body: Json | undefined;
}

/** A request as it is sent, to the byte. */
export interface TestRequest {
  readonly method: string;
  readonly target: string;
  /** In order; a name may occur twice. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer | undefined;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The request without any header of this name, or with another value. */
export function withHeader(request: TestRequest, name: string, ...values: string[]): TestRequest {
  const others = request.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase());
  return { ...request, headers: [...others, ...values.map((value) => [name, value] as const)] };
}

export function withBody(request: TestRequest, body: string | Buffer | undefined): TestRequest {
  return { ...request, body: typeof body === 'string' ? Buffer.from(body) : body };
}

function headerOf({ headers }: TestRequest, name: string): string | undefined {
  return headers.find(([other]) => other.toLowerCase() === name.toLowerCase())?.[1];
}

/** The command that sends the same request to the service at `$URL`. */
export function toCurl(request: TestRequest): string {
  const { method, target, headers, body } = request;
  const words = ['curl', '--globoff', '--path-as-is'];
  words.push(...(method === 'HEAD' ? ['-I'] : ['-X', method]));
  // What is no path, curl would make one of.
  if (/^\/[^#]*$/.test(target)) words.push(`"$URL"${quote(target)}`);
  else words.push('--request-target', quote(target), '"$URL"');
  for (const [name, value] of headers) {
    words.push('-H', quote(value === '' ? `${name};` : `${name}: ${value}`));
  }
  // Curl would add one of its own.
  if (body !== undefined && headerOf(request, 'Content-Type') === undefined) {
    words.push('-H', quote('Content-Type:'));
  }
  if (body !== undefined) words.push('--data-raw', quote(body.toString('latin1')));
  return words.join(' ');
}

/** For a shell: octets that aren't plain text are escaped, in the `$'…'` of bash. */
function quote(octets: string): string {
  if (/^[ -~]*$/.test(octets) && !octets.includes("'")) return `'${octets}'`;
  const escaped = octets.replace(
    /[^ -~]|['\\]/g,
    (octet) => `\\x${octet.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return `$'${escaped}'`;
}
