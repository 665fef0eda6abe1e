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

/** The program of each root that was checked last: the next one checks again only what differs. */
const programs = new Map<string, ts.SemanticDiagnosticsBuilderProgram>();

/**
 * Type-checks a source file and all that it is made of, as they would be with these edits;
 * `file: message` for each error.
 */
export function compile(root: string, edits: Edits = {}): string[] {
  const program = build(edits, resolve(ROOT, root), programs.get(root));
  programs.set(root, program);
  const diagnostics = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...program.getSyntacticDiagnostics(),
    ...program.getSemanticDiagnostics(),
  ];
  return diagnostics.map(({ file, messageText }) => {
    const name = file === undefined ? '' : file.fileName.slice(ROOT.length);
    return `${name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

function build(
  edits: Edits,
  root: string,
  old: ts.SemanticDiagnosticsBuilderProgram | undefined,
): ts.SemanticDiagnosticsBuilderProgram {
  const texts = new Map(Object.entries(edits).map(([path, text]) => [resolve(ROOT, path), text]));
  const host = ts.createIncrementalCompilerHost(options, {
    ...ts.sys,
    readFile: (path, encoding) => texts.get(path) ?? ts.sys.readFile(path, encoding),
  });
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (path, version) => {
    if (texts.has(path)) return getSourceFile(path, version);
    if (!sourceFiles.has(path)) sourceFiles.set(path, getSourceFile(path, version));
    return sourceFiles.get(path);
  };
  return ts.createSemanticDiagnosticsBuilderProgram([root], options, host, old);
}

/** A source file of the project with one text in it replaced; throws where it isn't there. */
export function edited(path: string, from: string, to: string): Edits {
  const text = readFileSync(resolve(ROOT, path), 'utf8');
  if (!text.includes(from)) throw new Error(`${path} has no ${JSON.stringify(from)}`);
  return { [path]: text.replace(from, () => to) };
}
