import { ApiError } from '../../exchange/api-error.js';
import { splitIntegers } from '../../json/exact-integers.js';
import { excerpt } from '../../json/excerpt.js';
import type { JsonValue } from '../../json/json-value.js';
import { pointer } from '../../json/pointer.js';
import { createRecord } from '../../json/record.js';
import type { FormField } from '../../operation/form.js';
import type { Pair } from '../../parameters/query-string.js';
import type { PartHeader } from './part-header.js';
import type { FormFile, ReceivedForm } from './received-form.js';
import type { RequestForm } from './request-forms.js';

/** What the parts of a form add up to. */
export class FormContent {
  readonly #texts: Pair[] = [];
  readonly #files = new Map<string, { readonly field: FormField; readonly files: FormFile[] }>();
  readonly #headers = createRecord<JsonValue[]>();

  constructor(readonly form: RequestForm) {}

  addText(name: string, text: string): void {
    this.#texts.push({ name, text });
  }

  addFile(field: FormField, file: FormFile): void {
    const known = this.#files.get(field.name) ?? { field, files: [] };
    this.#files.set(field.name, known);
    known.files.push(file);
  }

  /** How many files a field has so far. */
  countFiles({ name }: FormField): number {
    return this.#files.get(name)?.files.length ?? 0;
  }

  /**
   * Adds those headers of a part that the contract describes.
   * @throws ApiError 40004 that names the part and the header
   */
  addHeaders({ name, headers }: PartHeader): void {
    const read = this.form.headerReaders.get(name);
    if (read === undefined) return;
    try {
      const lines = Object.entries(headers).flatMap(([header, values]) =>
        values.flatMap((value) => [header, value]),
      );
      (this.#headers[name] ??= []).push(read(lines));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const message = `body ${excerpt(pointer([name]))}, ${error.message}`;
      throw new ApiError(error.code, message, {}, { cause: error });
    }
  }

  /** @throws ApiError 40004 where a field isn't written as the contract says */
  read(): Pick<ReceivedForm, 'value' | 'integers' | 'partHeaders' | 'files'> {
    const value = this.form.readFields(this.#texts);
    const received = new Map<string, FormFile | readonly FormFile[]>();
    for (const [name, { field, files }] of this.#files) {
      const [first] = files;
      const isOne = first !== undefined && files.length === 1 && field.isSingle;
      // Its length was judged as it came: this one is right.
      const standIn = 'x'.repeat(field.minBytes);
      value[name] = isOne ? standIn : files.map(() => standIn);
      received.set(name, isOne ? first : files);
    }
    const hasHeaders = this.form.headerReaders.size > 0;
    return {
      ...splitIntegers(value),
      partHeaders: hasHeaders ? splitIntegers(this.#headers) : undefined,
      files: received,
    };
  }
}
