import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { isMap, parseDocument, stringify } from 'yaml';
import { writeJson } from '../json/json.js';
import type { ContractDocument } from './document.js';
import { parseSource } from './source-text.js';

/** A contract as a text, for those who call the service. */
export interface PublishedContract {
  readonly json: string;
  /** As its author wrote it, comments and all, where it is one YAML file. */
  readonly yaml: string;
}

/** Writes a contract, its other files brought into it, that has one server: this one. */
export async function publishContract(
  document: ContractDocument,
  serverUrl: string,
): Promise<PublishedContract> {
  const servers = [{ url: serverUrl }];
  const published = { ...document.root, servers };
  const json = writeJson(published);
  const { file } = document;
  if (file !== undefined && extname(file) !== '.json') {
    const yaml = replaceServers(await readFile(file, 'utf8'), stringify({ servers }));
    if (yaml !== undefined && jsonOf(yaml, file) === json) return { json, yaml };
  }
  return { json, yaml: stringify(published, { aliasDuplicateObjects: false, lineWidth: 0 }) };
}

/** The text with another `servers`; it may not be what is meant, where the text is not a block of members. */
function replaceServers(text: string, servers: string): string | undefined {
  const { contents } = parseDocument(text);
  if (!isMap(contents)) return undefined;
  const starts = contents.items.map(({ key }) => startOf(key));
  const at = contents.items.findIndex(({ key }) => String(key) === 'servers');
  const start = starts[at];
  if (start === undefined) return `${text.trimEnd()}\n\n${servers}`;
  const end = starts[at + 1] ?? text.length;
  // What stands before the next member belongs to that.
  const [between = ''] = /(?:(?<=\n)[ \t]*(?:#[^\n]*)?\n)*$/.exec(text.slice(start, end)) ?? [];
  return text.slice(0, start) + servers + between + text.slice(end);
}

function startOf(key: unknown): number | undefined {
  const { range } = key as { range?: readonly number[] };
  return range?.[0];
}

/** Undefined where the text isn't what is meant, and so isn't YAML any more. */
function jsonOf(yaml: string, file: string): string | undefined {
  try {
    return writeJson(parseSource(yaml, file));
  } catch {
    return undefined;
  }
}
