import { parse } from 'content-type';
import { ApiError, EngineCode } from '../../exchange/api-error.js';
import { excerpt } from '../../json/excerpt.js';
import { pointer } from '../../json/pointer.js';
import type { FormField } from '../../operation/form.js';
import { findDeclared } from '../../operation/media-type.js';
import type { PartHeader } from './part-header.js';

/** What parts may be where the contract names no content type: a text isn't required to say that it is JSON. */
const TEXT_TYPES = ['text/*'];
const JSON_TYPES = ['application/json', 'application/*+json', 'text/*'];

/** These say that the content is as it is (RFC 7578 §4.7); the others are for mail. */
const IDENTITIES = ['7bit', '8bit', 'binary'];

/**
 * Refuses a part whose media type, charset or transfer encoding isn't one that its field may have.
 * @throws ApiError 415
 */
export function checkPart(field: FormField, { headers }: PartHeader): void {
  const refuse = (code: number, message: string): ApiError =>
    new ApiError(code, `body ${excerpt(pointer([field.name]))}: ${message}`);

  const coding = headers['content-transfer-encoding']?.[0]?.toLowerCase() ?? 'binary';
  if (!IDENTITIES.includes(coding)) {
    throw refuse(
      EngineCode.contentCoding,
      `must not have the transfer encoding ${excerpt(coding)}`,
    );
  }
  const contentType = headers['content-type']?.[0];
  const { type, parameters } = parse(contentType ?? '');
  const allowed = allowedTypes(field);
  // A part that doesn't say what it is, is text (RFC 7578 §4.4), and a client often can't say more.
  const isText = contentType === undefined && !field.isFile;
  if (allowed !== undefined && !isText && findDeclared(allowed, type) === undefined) {
    const given = contentType === undefined ? 'it has no Content-Type' : `it is ${excerpt(type)}`;
    throw refuse(EngineCode.mediaType, `must be ${allowed.join(' or ')}; ${given}`);
  }
  const charset = parameters.charset?.toLowerCase() ?? 'utf-8';
  if (!field.isFile && !['utf-8', 'us-ascii'].includes(charset)) {
    throw refuse(EngineCode.charset, 'its charset must be UTF-8');
  }
}

function allowedTypes({
  contentTypes,
  isFile,
  mediaType,
}: FormField): readonly string[] | undefined {
  if (contentTypes !== undefined || isFile) return contentTypes;
  return mediaType === undefined ? TEXT_TYPES : JSON_TYPES;
}
