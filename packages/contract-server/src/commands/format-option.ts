import { UsageError } from './command.js';
import type { FormatTypes } from './generate/format-types.js';

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
