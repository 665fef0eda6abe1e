import { UsageError } from '../../command.js';

/** The TypeScript type of what a service's format makes of a text. */
export interface FormatType {
  /** Such as `Date`. */
  readonly type: string;
  /** The module that exports it, as the generated file imports it; undefined for a global type. */
  readonly module: string | undefined;
}

/** By the names of the formats. */
export type FormatTypes = ReadonlyMap<string, FormatType>;

/** The lines that import the types, one for each module. */
export function importsOf(formats: FormatTypes): string[] {
  const modules = new Map<string, Set<string>>();
  for (const { type, module } of formats.values()) {
    if (module === undefined) continue;
    modules.set(module, (modules.get(module) ?? new Set<string>()).add(type));
  }
  return [...modules].map(
    ([module, types]) => `import type { ${[...types].join(', ')} } from '${module}';`,
  );
}

const MAPPING = /^([^=\s]+)=([A-Za-z_$][\w$.]*)(?: from (\S+))?$/;

/**
 * Reads `date-time=Date` and `ulid=Ulid from ../src/ulid.js`.
 * @throws UsageError
 */
export function parseFormatTypes(texts: readonly string[]): FormatTypes {
  return new Map(
    texts.map((text) => {
      const [, format, type, module] = MAPPING.exec(text) ?? [];
      if (format === undefined || type === undefined) {
        throw new UsageError(
          `--format takes "date-time=Date" or "ulid=Ulid from ../src/ulid.js", not "${text}"`,
        );
      }
      return [format, { type, module }];
    }),
  );
}
