/** What progress needs of process.stderr. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** How much of the whole is done, from 0 to 1, and that in words. */
export interface HowFar {
  readonly part: number;
  readonly text: string;
}

/** Shows how far a command is: a bar on a terminal, now and then a line elsewhere. */
export interface Progress {
  /** Shows it as it is now. */
  show(): void;
  /** Says something in a line of its own. */
  readonly say: (text: string) => void;
  /** Takes the bar away. */
  end(): void;
}

const BAR_INTERVAL_MS = 100;
const LINE_INTERVAL_MS = 5_000;
const BAR_WIDTH = 24;
const DEFAULT_COLUMNS = 80;
const CLEAR_LINE = '\r\x1b[K';

/** Begins to show what `measure` says, which is told for how many milliseconds it has been running. */
export function startProgress(
  screen: Screen,
  measure: (ms: number) => HowFar,
  now: () => number = performance.now.bind(performance),
): Progress {
  const isTerminal = screen.isTTY === true;
  const startedAt = now();

  function show(): void {
    const { part, text } = measure(now() - startedAt);
    const line = `${percent(part)}  ${text}`;
    if (isTerminal) screen.write(CLEAR_LINE + `${bar(part)} ${line}`.slice(0, widthOf(screen)));
    else screen.write(`${line}\n`);
  }

  const timer = setInterval(show, isTerminal ? BAR_INTERVAL_MS : LINE_INTERVAL_MS);
  return {
    show,
    say(text) {
      screen.write(`${isTerminal ? CLEAR_LINE : ''}${text}\n`);
    },
    end() {
      clearInterval(timer);
      if (isTerminal) screen.write(CLEAR_LINE);
    },
  };
}

/** What fits in one line: a bar that wraps can't be taken back. Some terminals say they have 0 columns. */
function widthOf({ columns = 0 }: Screen): number {
  return (columns > 0 ? columns : DEFAULT_COLUMNS) - 1;
}

function bar(part: number): string {
  const done = Math.round(part * BAR_WIDTH);
  return `[${'='.repeat(done)}${' '.repeat(BAR_WIDTH - done)}]`;
}

function percent(part: number): string {
  return `${Math.floor(part * 100)} %`.padStart(5);
}

/** How many rows a second those make, to the nearest. */
export function rowsPerSecond(rows: number, ms: number): number {
  return ms > 0 ? Math.round((rows * 1000) / ms) : 0;
}

/** A number as people read it. */
export function format(number: number): string {
  return number.toLocaleString('en-US');
}
