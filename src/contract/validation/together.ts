interface Waiting<Value, Answer> {
  readonly value: Value;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Has answered in one go what one turn of the event loop asks for, where each go has its price: one
 * answer for each value, in their order. Should that fail, each value is tried by itself, so that none
 * suffers from its neighbours.
 */
export function together<Value, Answer>(
  answerAll: (values: readonly Value[]) => Promise<readonly Answer[]>,
): (value: Value) => Promise<Answer> {
  let waiting: Waiting<Value, Answer>[] = [];

  async function answer(asked: readonly Waiting<Value, Answer>[]): Promise<void> {
    try {
      const answers = await answerAll(asked.map(({ value }) => value));
      for (const [index, { resolve, reject }] of asked.entries()) {
        const one = answers[index];
        if (one === undefined) reject(new Error('a value has no answer'));
        else resolve(one);
      }
    } catch (error) {
      if (asked.length > 1) for (const one of asked) void answer([one]);
      else for (const { reject } of asked) reject(error);
    }
  }

  function answerWaiting(): void {
    const asked = waiting;
    waiting = [];
    void answer(asked);
  }

  return (value) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) queueMicrotask(answerWaiting);
      waiting.push({ value, resolve, reject });
    });
}
