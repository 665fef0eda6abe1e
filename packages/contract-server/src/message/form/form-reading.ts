import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { ApiError, EngineCode, tooLarge, type Problem } from '../../exchange/api-error.js';
import type { ExactIntegers, SplitValue } from '../../json/exact-integers.js';
import { excerpt } from '../../json/excerpt.js';
import type { JsonValue } from '../../json/json-value.js';
import { pointer } from '../../json/pointer.js';
import type { FormField } from '../../operation/form.js';
import { MalformedParameterError, readAs } from '../../parameters/malformed-parameter.js';
import { schemaViolation } from '../../validation/problem.js';
import { FormContent } from './form-content.js';
import { malformedForm } from './malformed-form.js';
import type { Part } from './multipart-parser.js';
import { checkPart } from './part-check.js';
import { measured, storedFile, streamedFile } from './part-file.js';
import type { FormBody, ReceivedForm } from './received-form.js';
import type { RequestForm } from './request-forms.js';
import { Spool } from './spool.js';

export interface MultipartOptions {
  /** Of all texts together, since they are kept in memory. */
  readonly maxTextBytes: number;
  /** The status of a violation that is found while the form is read; 400 where it is left out. */
  readonly violationStatus: 400 | 422 | undefined;
}

const MAX_PARTS = 1000;

/** Reads the parts of one form, in the order in which they come. */
export class FormReading implements ReceivedForm {
  value: JsonValue = null;
  integers: ExactIntegers;
  partHeaders: SplitValue | undefined;
  files: ReceivedForm['files'] = new Map();
  failure: Error | undefined;

  readonly #spool = new Spool();
  readonly #names = new Set<string>();
  readonly #content: FormContent;
  #partCount = 0;
  #textBytes = 0;
  /** What is left of the form, while the handler reads its last file. */
  #rest: AsyncIterator<Buffer> | undefined;

  constructor(
    readonly form: RequestForm,
    readonly options: MultipartOptions,
    readonly req: IncomingMessage,
    readonly body: FormBody,
    readonly parts: AsyncIterator<Part>,
  ) {
    this.#content = new FormContent(form);
  }

  async read(): Promise<void> {
    for (let part = await this.#next(); part !== undefined; part = await this.#next()) {
      const field = this.#fieldOf(part);
      if (part.isUnchosen) await refuseBytes(part);
      else if (field?.isFile === true) await this.#readFile(part, field);
      else await this.#readText(part, field);
      this.#names.add(part.name);
      if (this.#rest !== undefined) break;
    }
    Object.assign(this, this.#content.read());
  }

  async finish(): Promise<void> {
    while ((await this.#rest?.next())?.done === false);
    if (this.failure !== undefined) throw this.failure;
  }

  abandon(): void {
    if (!(this.body instanceof Readable) || this.body.readableEnded) return;
    this.req.unpipe();
    this.body.destroy();
    // What the client still sends is thrown away while it is answered.
    this.req.resume();
  }

  /** Called once the exchange is over. */
  async close(): Promise<void> {
    await this.#spool.close();
  }

  async #next(): Promise<Part | undefined> {
    const next = await this.parts.next();
    if (next.done === true) return undefined;
    if (++this.#partCount > MAX_PARTS) {
      throw new ApiError(EngineCode.tooLarge, `the form has more than ${MAX_PARTS} parts`);
    }
    return next.value;
  }

  /** The field of a part, which the part may belong to; undefined where the contract names none. */
  #fieldOf(part: Part): FormField | undefined {
    const { fields, others, isClosed } = this.form.form;
    const field = fields.find(({ name }) => name === part.name) ?? others;
    if (field !== undefined && !part.isUnchosen) {
      checkPart({ ...field, name: part.name }, part);
      this.#content.addHeaders(part);
      return { ...field, name: part.name };
    }
    // The validator says so of a text. A file may be long, and there is nothing to wait for.
    if (isClosed && part.filename !== undefined) throw this.#unknown(part);
    return undefined;
  }

  /** Whether a file still comes, and the contract lets nothing come behind it but the end of the form. */
  #isLast(file: FormField): boolean {
    const { fields, others } = this.form.form;
    return (
      this.body instanceof Readable &&
      !this.form.isSpooled &&
      others === undefined &&
      fields.every(({ name, isList }) => !isList && (name === file.name) !== this.#names.has(name))
    );
  }

  async #readText(part: Part, field: FormField | undefined): Promise<void> {
    // A file that the contract doesn't name, and doesn't forbid.
    if (field === undefined && part.filename !== undefined) {
      await drain(part.content);
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of part.content) {
      this.#textBytes += chunk.length;
      if (this.#textBytes > this.options.maxTextBytes) throw tooLarge(this.options.maxTextBytes);
      chunks.push(chunk);
    }
    const bytes = Buffer.concat(chunks);
    const { name } = part;
    if (!isUtf8(bytes)) {
      readAs({ in: 'body', name }, () => {
        throw new MalformedParameterError('is not valid UTF-8');
      });
    }
    this.#content.addText(name, bytes.toString('utf8'));
  }

  async #readFile(part: Part, field: FormField): Promise<void> {
    const count = this.#content.countFiles(field);
    if (count > 0 && !field.isList) readAs(field, refuseRepeated);
    const bytes = measured(part, field, count, this.#violation);
    if (this.#isLast(field)) {
      this.#rest = this.#toTheEnd(bytes);
      this.#content.addFile(field, streamedFile(part, this.#rest));
    } else {
      this.#content.addFile(field, storedFile(part, await this.#spool.store(bytes)));
    }
  }

  /** The bytes of the last file; they end only once the rest of the form was read, and found right. */
  async *#toTheEnd(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
    try {
      yield* file;
      for (let part = await this.#next(); part !== undefined; part = await this.#next()) {
        const { name } = part;
        if (this.#names.has(name)) readAs({ in: 'body', name }, refuseRepeated);
        if (this.form.form.isClosed) throw this.#unknown(part);
        await drain(part.content);
      }
    } catch (error) {
      this.failure = error as Error; // nothing else is thrown there
      throw error;
    }
  }

  readonly #violation = (problems: readonly Problem[]): ApiError =>
    schemaViolation(problems, this.options.violationStatus);

  #unknown({ name }: Part): ApiError {
    return this.#violation([
      {
        pointer: pointer(['body', name]),
        keyword: 'additionalProperties',
        message: 'is not one of those that the contract names',
      },
    ]);
  }
}

/** Resolves with how many bytes there were. */
async function drain(content: Part['content']): Promise<number> {
  let count = 0;
  for await (const { length } of content) count += length;
  return count;
}

/** HTML has an input of files without any as an empty file without a name, which is no file. */
async function refuseBytes({ name, content }: Part): Promise<void> {
  if ((await drain(content)) > 0) throw malformedForm(`file ${excerpt(name)} has no name`);
}

function refuseRepeated(): never {
  throw new MalformedParameterError('is given more than once');
}
