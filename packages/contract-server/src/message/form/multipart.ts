import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'content-type';
import { FormReading, type MultipartOptions } from './form-reading.js';
import { malformedForm } from './malformed-form.js';
import type { FormBody, ReceivedForm } from './received-form.js';
import type { RequestForm } from './request-forms.js';

/**
 * Reads a multipart form as far as its handler needs it: to its end, or to a file behind which the
 * contract has nothing to come.
 * @throws ApiError 400, 408, 413, 415
 * @throws ClientGoneError
 */
export type ReadMultipart = (
  mediaType: string,
  req: IncomingMessage,
  res: ServerResponse,
  /** Called only where the form can be read. */
  readFormBody: () => Promise<FormBody>,
) => Promise<ReceivedForm>;

/** RFC 2046 §5.1.1. */
const BOUNDARY = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/;

/** The parser is loaded only for an operation that takes such a form. */
export async function createMultipartReader(
  forms: ReadonlyMap<string, RequestForm>,
  options: MultipartOptions,
): Promise<ReadMultipart> {
  const hasMultipart = [...forms.values()].some(({ form }) => form.kind === 'multipart');
  const parser = hasMultipart ? await import('./multipart-parser.js') : undefined;

  return async (mediaType, req, res, readFormBody) => {
    const form = forms.get(mediaType);
    if (form === undefined || parser === undefined) throw new Error(`${mediaType} is not a form`);
    const { boundary = '' } = parse(req.headers['content-type'] ?? '').parameters;
    if (!BOUNDARY.test(boundary)) {
      throw malformedForm('its Content-Type has no boundary, or one that cannot be');
    }
    const body = await readFormBody();
    const reading = new FormReading(form, options, req, body, parser.parseParts(body, boundary));
    res.once('close', () => void reading.close());
    try {
      await reading.read();
      return reading;
    } catch (error) {
      reading.abandon();
      throw error;
    }
  };
}
