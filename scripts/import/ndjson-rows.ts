import { isUtf8 } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import { JsonError, parseJson, type JsonValue } from 'contract-server/json';
import { MAX_ROW_BYTES, readLines } from './bytes.js';
import type { Members, NewPlant, Row } from './row.js';

/** Why a line is no plant, and what it has of one. */
class ProblemError extends Error {
  constructor(
    message: string,
    readonly members: Members = {},
  ) {
    super(message);
  }
}

/** Reads the rows of a file with one JSON object in each line; empty lines are passed over. */
export async function* readNdjsonRows(file: FileHandle, from: number): AsyncGenerator<Row, void> {
  let line = 0;
  for await (const { bytes, endByte } of readLines(file, from)) {
    line++;
    if (bytes?.toString('latin1').trim() === '') continue;
    try {
      yield { line, endByte, plant: parsePlant(bytes) };
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const { message: problem, members } = error;
      yield { line, endByte, plant: undefined, problem, members };
    }
  }
}

function parsePlant(bytes: Buffer | undefined): NewPlant {
  if (bytes === undefined) throw new ProblemError(`the line is longer than ${MAX_ROW_BYTES} bytes`);
  if (!isUtf8(bytes)) throw new ProblemError('the line is not UTF-8');
  const members = membersOf(parseObject(bytes.toString('utf8')));
  const { id, name, tag } = members;
  const integer = typeof id === 'number' && Number.isInteger(id) ? BigInt(id) : id;
  if (typeof integer !== 'bigint') throw new ProblemError('the id must be an integer', members);
  if (typeof name !== 'string') throw new ProblemError('the name must be a string', members);
  if (tag === undefined) return { id: integer, name };
  if (typeof tag !== 'string') throw new ProblemError('the tag must be a string', members);
  return { id: integer, name, tag };
}

function parseObject(text: string): Record<string, JsonValue> {
  try {
    const value = parseJson(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new ProblemError(`the line is not JSON: ${error.message}`);
  }
  throw new ProblemError('the line is not a JSON object');
}

function membersOf(object: Record<string, JsonValue>): Members {
  const members: Members = {};
  for (const name of ['id', 'name', 'tag'] as const) {
    const value = object[name];
    if (value !== undefined && Object.hasOwn(object, name)) members[name] = value;
  }
  return members;
}
