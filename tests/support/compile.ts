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

/** The program of each file that was checked last: the next one keeps what is the same. */
const programs = new Map<string, ts.Program>();

/** Type-checks a source file as it would be with these edits; `file: message` for each error in it. */
export function compile(path: string, edits: Edits = {}): string[] {
  const root = resolve(ROOT, path);
  const program = ts.createProgram([root], options, createHost(edits), programs.get(path));
  programs.set(path, program);
  const file = program.getSourceFile(root);
  if (file === undefined) throw new Error(`there is no ${path}`);
  const diagnostics = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ];
  return diagnostics.map(
    ({ messageText }) => `${path}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
  );
}

function createHost(edits: Edits): ts.CompilerHost {
  const texts = new Map(Object.entries(edits).map(([path, text]) => [resolve(ROOT, path), text]));
  const host = ts.createCompilerHost(options);
  const readFile = host.readFile.bind(host);
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (path, version) => {
    if (texts.has(path)) return getSourceFile(path, version);
    if (!sourceFiles.has(path)) sourceFiles.set(path, getSourceFile(path, version));
    return sourceFiles.get(path);
  };
  return host;
}

/** A source file of the project with one text in it replaced; throws where it isn't there. */
export function edited(path: string, from: string, to: string): Edits {
  const text = readFileSync(resolve(ROOT, path), 'utf8');
  if (!text.includes(from)) throw new Error(`${path} has no ${JSON.stringify(from)}`);
  return { [path]: text.replace(from, () => to) };
}
