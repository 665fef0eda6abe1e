import type { ContractProblem } from '../../document/contract-error.js';
import type { ContractDocument } from '../../document/document.js';
import type { JsonValue } from '../../json/json-value.js';
import { formOf, type Form, type FormField } from '../../operation/form.js';
import type { Operation } from '../../operation/operation.js';
import { partHeaderParameters } from '../../operation/part-headers.js';
import { createHeaderReader } from '../../parameters/header-parameters.js';
import { createShape } from '../../parameters/parameter-shape.js';
import { createFieldsReader, type ReadFields } from './form-reader.js';

/** A form that an operation takes, and what reads its texts. */
export interface RequestForm {
  readonly form: Form;
  readonly readFields: ReadFields;
  /** By the name of a field whose parts have headers that the contract describes. */
  readonly headerReaders: ReadonlyMap<string, ReadHeaders>;
  /** Whether the handler waits until every part has been judged (`x-form-files: spool`). */
  readonly isSpooled: boolean;
}

/** @throws ApiError 40004 where a header isn't written as its style says */
type ReadHeaders = (rawHeaders: readonly string[]) => Record<string, JsonValue>;

/** The forms that an operation takes, by media type as declared. `report` gets what can't be read. */
export function createRequestForms(
  document: ContractDocument,
  { operationId: place, requestBody }: Operation,
  report: (problem: ContractProblem) => void,
): ReadonlyMap<string, RequestForm> {
  const forms = new Map<string, RequestForm>();
  for (const [mediaType, media] of requestBody?.content ?? []) {
    const { 'x-max-body-bytes': maxBytes = 1, 'x-form-files': files = 'stream' } = media;
    if (!Number.isSafeInteger(maxBytes) || Number(maxBytes) < 1) {
      report({ place, what: `x-max-body-bytes of ${mediaType} must be a number of bytes` });
    }
    if (files !== 'stream' && files !== 'spool') {
      report({ place, what: `x-form-files of ${mediaType} must be stream or spool` });
    }
    const form = formOf(document, mediaType, media);
    if (form === undefined) continue;
    const readFields = createFieldsReader(document, form, ({ name }, what) => {
      report({ place: `${place}: field ${name} of ${mediaType}`, what });
    });
    const headerReaders = new Map(
      form.fields
        .filter(({ headers }) => headers.size > 0)
        .map((field) => [field.name, createPartHeaderReader(document, field)]),
    );
    forms.set(mediaType, { form, readFields, headerReaders, isSpooled: files === 'spool' });
  }
  return forms;
}

function createPartHeaderReader(document: ContractDocument, field: FormField): ReadHeaders {
  const shapes = new Map(
    partHeaderParameters(field).map((each) => [each, createShape(document, [each.schema])]),
  );
  const anything = createShape(document, []);
  return createHeaderReader([...shapes.keys()], (each) => shapes.get(each) ?? anything);
}
