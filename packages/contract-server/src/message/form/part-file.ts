import { Readable } from 'node:stream';
import { parse } from 'content-type';
import type { ApiError, Problem } from '../../exchange/api-error.js';
import { pointer } from '../../json/pointer.js';
import type { FormField } from '../../operation/form.js';
import type { Part } from './multipart-parser.js';
import type { PartHeader } from './part-header.js';
import type { FormFile } from './received-form.js';

/**
 * The bytes of a file, as long as there aren't too many of them.
 * @param index of the file among those of its field
 * @throws ApiError what `violation` makes of a file that is too short or too long
 */
export async function* measured(
  { content }: Part,
  { name, isSingle, minBytes, maxBytes }: FormField,
  index: number,
  violation: (problems: readonly Problem[]) => ApiError,
): AsyncGenerator<Buffer, void> {
  const place = pointer(['body', name, ...(isSingle ? [] : [index])]);
  let length = 0;
  for await (const chunk of content) {
    length += chunk.length;
    if (length > maxBytes) {
      const message = `must NOT have more than ${maxBytes} bytes`;
      throw violation([{ pointer: place, keyword: 'maxLength', message }]);
    }
    yield chunk;
  }
  if (length < minBytes) {
    const message = `must NOT have fewer than ${minBytes} bytes`;
    throw violation([{ pointer: place, keyword: 'minLength', message }]);
  }
}

/** A file that is kept elsewhere; opened when its stream is asked for. */
export function storedFile(part: PartHeader, open: () => Readable): FormFile {
  let stream: Readable | undefined;
  return {
    ...describe(part),
    get stream() {
      return (stream ??= open());
    },
  };
}

/** A file that is still coming, at the pace at which its stream is read. */
export function streamedFile(part: PartHeader, bytes: AsyncIterator<Buffer>): FormFile {
  const stream = new Readable({
    read() {
      bytes.next().then(
        ({ value, done }) => this.push(done === true ? null : value),
        (error: unknown) => this.destroy(error as Error), // nothing else is thrown there
      );
    },
  });
  // Without a listener, the error of a file that nobody reads would end the process.
  stream.on('error', () => undefined);
  return { ...describe(part), stream };
}

function describe({ filename, headers }: PartHeader): Omit<FormFile, 'stream'> {
  return {
    filename,
    mediaType: parse(headers['content-type']?.[0] ?? '').type || 'application/octet-stream',
    headers: Object.fromEntries(
      Object.entries(headers)
        // It has the client's own path in it.
        .filter(([name]) => name !== 'content-disposition')
        .map(([name, values]) => [name, values.join(', ')]),
    ),
  };
}
