import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';

const ROOT = new URL('../../', import.meta.url).pathname;

/** The project's own sources with some of them replaced, by path from the root. */
export type Edits = Readonly<Record<string, string>>;

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(resolve(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path)).config,
  ts.sys,
  ROOT,
);

const sourceFiles = new Map<string, ts.SourceFile | undefined>();

/** Type-checks the service as it would be with these edits; `file: message` for each error. */
export function compile(edits: Edits = {}): string[] {
  const texts = new Map(Object.entries(edits).map(([path, text]) => [resolve(ROOT, path), text]));
  const host = ts.createCompilerHost(options);
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (path, version) => {
    const text = texts.get(path);
    if (text !== undefined) return ts.createSourceFile(path, text, version);
    if (!sourceFiles.has(path)) sourceFiles.set(path, getSourceFile(path, version));
    return sourceFiles.get(path);
  };
  const program = ts.createProgram([resolve(ROOT, 'src/main.ts')], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    const name = file === undefined ? '' : file.fileName.slice(ROOT.length);
    return `${name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

/** A source file of the project with one text in it replaced; throws where it isn't there. */
export function edited(path: string, from: string, to: string): Edits {
  const text = readFileSync(resolve(ROOT, path), 'utf8');
  if (!text.includes(from)) throw new Error(`${path} has no ${JSON.stringify(from)}`);
  return { [path]: text.replace(from, () => to) };
}
