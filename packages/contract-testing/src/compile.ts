import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';

/** Sources of a project with other texts in them, by path from its root. */
export type Edits = Readonly<Record<string, string>>;

/** Type-checks a project's sources as they would be with some edits. */
export interface Compiler {
  /** `file: message` for each error in one source file. */
  readonly compile: (path: string, edits?: Edits) => string[];
  /** A source file with one text in it replaced; throws where the text isn't there. */
  readonly edited: (path: string, from: string, to: string) => Edits;
}

/**
 * A compiler for the project whose `tsconfig.json` stands in `root`: for tests that a change of the
 * contract which the code doesn't follow is not compiled.
 */
export function createCompiler(root: string): Compiler {
  const { options: configured } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(resolve(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)).config,
    ts.sys,
    root,
  );
  // What is checked need not be a part of the project.
  const options = { ...configured, composite: false, declarationMap: false, noEmit: true };
  const sourceFiles = new Map<string, ts.SourceFile | undefined>();
  /** The program of each file that was checked last: the next one keeps what is the same. */
  const programs = new Map<string, ts.Program>();

  function createHost(edits: Edits): ts.CompilerHost {
    const texts = new Map(Object.entries(edits).map(([path, text]) => [resolve(root, path), text]));
    const host = ts.createCompilerHost(options);
    const readFile = host.readFile.bind(host);
    host.readFile = (path) => texts.get(path) ?? readFile(path);
    const fileExists = host.fileExists.bind(host);
    host.fileExists = (path) => texts.has(path) || fileExists(path);
    const getSourceFile = host.getSourceFile.bind(host);
    host.getSourceFile = (path, version) => {
      if (texts.has(path)) return getSourceFile(path, version);
      if (!sourceFiles.has(path)) sourceFiles.set(path, getSourceFile(path, version));
      return sourceFiles.get(path);
    };
    return host;
  }

  return {
    compile(path, edits = {}) {
      const name = resolve(root, path);
      const program = ts.createProgram([name], options, createHost(edits), programs.get(path));
      programs.set(path, program);
      const file = program.getSourceFile(name);
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
    },

    edited(path, from, to) {
      const text = readFileSync(resolve(root, path), 'utf8');
      if (!text.includes(from)) throw new Error(`${path} has no ${JSON.stringify(from)}`);
      return { [path]: text.replace(from, () => to) };
    },
  };
}
