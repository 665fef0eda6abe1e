import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';

const ROOT = new URL('../../', import.meta.url).pathname;
const MAIN = resolve(ROOT, 'src/main.ts');

/** The project's own sources with some of them replaced, by path from the root. */
export type Edits = Readonly<Record<string, string>>;

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(resolve(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path)).config,
  ts.sys,
  ROOT,
);

const sourceFiles = new Map<string, ts.SourceFile | undefined>();

/** The sources as they are, against which an edit is checked: only what it affects is checked again. */
let unedited: ts.SemanticDiagnosticsBuilderProgram | undefined;

/** Type-checks the service as it would be with these edits; `file: message` for each error. */
export function compile(edits: Edits = {}): string[] {
  unedited ??= build({}, undefined);
  const program = build(edits, unedited);
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
  const program = ts.createSemanticDiagnosticsBuilderProgram([MAIN], options, host, old);
  // Until it has been asked, a program doesn't know what the next one needn't ask again.
  program.getSemanticDiagnostics();
  return program;
}

/** A source file of the project with one text in it replaced; throws where it isn't there. */
export function edited(path: string, from: string, to: string): Edits {
  const text = readFileSync(resolve(ROOT, path), 'utf8');
  if (!text.includes(from)) throw new Error(`${path} has no ${JSON.stringify(from)}`);
  return { [path]: text.replace(from, () => to) };
}
