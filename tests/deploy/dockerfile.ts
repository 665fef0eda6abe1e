import { readFileSync } from 'node:fs';

/** One instruction of a Dockerfile. */
export interface Instruction {
  /** Such as `COPY`. */
  readonly name: string;
  /** `--from=build` and the like, by their names. */
  readonly flags: Readonly<Record<string, string>>;
  /** What stands behind the flags. */
  readonly text: string;
}

export interface Stage {
  readonly base: string;
  /** Empty for the last one. */
  readonly name: string;
  readonly instructions: readonly Instruction[];
}

/**
 * Reads a Dockerfile into its stages, in order.
 * @throws Error at what stands before the first stage
 */
export function readDockerfile(path: string): Stage[] {
  const stages: { base: string; name: string; instructions: Instruction[] }[] = [];
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (/^\s*(#|$)/.test(line)) continue;
    const { name, flags, text } = readInstruction(line);
    const last = stages.at(-1);
    if (name === 'FROM') {
      const [base = '', , stage = ''] = text.split(' ');
      stages.push({ base, name: stage, instructions: [] });
    } else if (last === undefined) throw new Error(`not in a stage: ${line}`);
    else last.instructions.push({ name, flags, text });
  }
  return stages;
}

function readInstruction(line: string): Instruction {
  const [, name = '', flagsText = '', text = ''] = /^([A-Z]+) ((?:--\S+ )*)(.*)$/.exec(line) ?? [];
  if (name === '' || text.endsWith('\\')) throw new Error(`not an instruction in a line: ${line}`);
  const flags = [...flagsText.matchAll(/--([a-z-]+)=(\S+)/g)].map(([, flag = '', value = '']) => [
    flag,
    value,
  ]);
  return { name, flags: Object.fromEntries(flags) as Record<string, string>, text };
}

/** Which of these paths Docker would send to its daemon, by the lines of a .dockerignore. */
export function notIgnored(paths: readonly string[], ignoreFile: string): string[] {
  const rules = readFileSync(ignoreFile, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ isKept: line.startsWith('!'), pattern: patternOf(line.replace(/^!/, '')) }));
  return paths.filter((path) => {
    // The last rule that is about it, or about a folder above it, decides.
    const last = rules.findLast(({ pattern }) => pattern.test(path));
    return last === undefined || last.isKept;
  });
}

function patternOf(line: string): RegExp {
  const source = line
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('**/', '(?:.+/)?')
    .replaceAll('*', '[^/]*');
  return new RegExp(`^${source}(?:/|$)`);
}
