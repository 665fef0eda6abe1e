import { child, type JsonObject, type Place } from './document.js';
import { isJson } from './operations.js';
import type { WrittenParameter } from './parameter-text.js';

const URLENCODED = /^application\/x-www-form-urlencoded *(?:;|$)/i;
const MULTIPART = /^multipart\/form-data *(?:;|$)/i;

/** Whether a media type is one of the two whose bodies are forms. */
export function isForm(contentType: string): boolean {
  return URLENCODED.test(contentType) || isMultipart(contentType);
}

export function isMultipart(contentType: string): boolean {
  return MULTIPART.test(contentType);
}

/** How the Encoding Object of a form's field has it written (OpenAPI 3.1 §4.8.15). */
export interface FormField extends WrittenParameter {
  /** Whether its style is that of a query parameter; otherwise each item is a text of its own. */
  readonly isStyled: boolean;
  /** The media types and ranges that its parts may have; empty where the contract names none. */
  readonly mediaTypes: readonly string[];
}

export function formField(
  { openapi }: JsonObject,
  formType: string,
  name: string,
  encoding: JsonObject,
): FormField {
  const { style = 'form', explode = style === 'form', contentType } = encoding;
  // OpenAPI 3.0.3 §4.7.15 ignores them in multipart forms; since 3.1 they override the content type.
  const isIgnored = isMultipart(formType) && String(openapi).startsWith('3.0.');
  const isStyled =
    !isIgnored && ['style', 'explode', 'allowReserved'].some((member) => member in encoding);
  const mediaTypes =
    isStyled || typeof contentType !== 'string'
      ? []
      : contentType.split(',').map((one) => one.trim());
  return {
    name,
    in: 'query',
    style: isStyled ? String(style) : 'form',
    explode: !isStyled || explode === true,
    isStyled,
    isJson: mediaTypes.length > 0 && mediaTypes.every(isJson),
    mediaTypes,
  };
}

/**
 * The fields of a form, by their names.
 * @param media its Media Type Object; undefined where there is none
 */
export function formFields(
  root: JsonObject,
  media: Place | undefined,
  formType: string,
): (name: string) => FormField {
  const encodings = media && child(root, media, 'encoding');
  return (name) => {
    const encoding = encodings && child(root, encodings, name);
    return formField(root, formType, name, encoding?.value ?? {});
  };
}
