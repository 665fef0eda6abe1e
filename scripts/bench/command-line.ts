/** What `read` makes of the command line; where it throws, the process ends with 2 and says why. */
export function readCommandLine<Options>(usage: string, read: () => Options): Options {
  try {
    return read();
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    process.exit(2);
  }
}

/** @throws Error where it isn't a whole number from 1 to `max` */
export function readCount(option: string, text: string, max: number): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > max) {
    throw new Error(`--${option} must be a whole number from 1 to ${max}; it is "${text}"`);
  }
  return count;
}

/** Several with commas between. */
export function readCounts(option: string, text: string, max: number): number[] {
  return text.split(',').map((count) => readCount(option, count.trim(), max));
}
