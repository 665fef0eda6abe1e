/** What an answer is handed to: one of the two is called, once. */
export interface Asker<Answer> {
  readonly use: (answer: Answer) => void;
  /** Also gets what `use` throws. */
  readonly fail: (error: unknown) => void;
}

/** Answers a value, later, by calling its asker back: cheaper than a promise for each. */
export type Ask<Value, Answer> = (value: Value, asker: Asker<Answer>) => void;

interface Waiting<Value, Answer> {
  readonly value: Value;
  readonly asker: Asker<Answer>;
}

/**
 * Has answered in one go what one turn of the event loop asks for, where each go has its price: one
 * answer for each value, in their order. Should that fail, each value is tried by itself, so that none
 * suffers from its neighbours.
 */
export function together<Value, Answer>(
  answerAll: (values: readonly Value[]) => Promise<readonly Answer[]>,
): Ask<Value, Answer> {
  let waiting: Waiting<Value, Answer>[] = [];

  async function answer(asked: readonly Waiting<Value, Answer>[]): Promise<void> {
    let answers: readonly Answer[];
    try {
      answers = await answerAll(asked.map(({ value }) => value));
    } catch (error) {
      if (asked.length > 1) for (const one of asked) void answer([one]);
      else for (const { asker } of asked) asker.fail(error);
      return;
    }
    for (const [index, { asker }] of asked.entries()) hand(answers[index], asker);
  }

  function answerWaiting(): void {
    const asked = waiting;
    waiting = [];
    void answer(asked);
  }

  return (value, asker) => {
    if (waiting.length === 0) queueMicrotask(answerWaiting);
    waiting.push({ value, asker });
  };
}

function hand<Answer>(answer: Answer | undefined, { use, fail }: Asker<Answer>): void {
  try {
    if (answer === undefined) throw new Error('a value has no answer');
    use(answer);
  } catch (error) {
    fail(error);
  }
}
