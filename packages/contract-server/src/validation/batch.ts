interface Waiting<Value, Answer> {
  readonly value: Value;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Collects the values of one event-loop turn and resolves them with a single call of `answerAll`, which
 * returns an answer for each, in their order: for work that costs per call more than per value. Where
 * that call fails, each value is tried by itself, so that none fails because of another.
 */
export function createBatch<Value, Answer>(
  answerAll: (values: readonly Value[]) => Promise<readonly Answer[]>,
): (value: Value) => Promise<Answer> {
  const waiting: Waiting<Value, Answer>[] = [];

  async function answer(batch: readonly Waiting<Value, Answer>[]): Promise<void> {
    let answers: readonly Answer[];
    try {
      answers = await answerAll(batch.map(({ value }) => value));
    } catch (error) {
      if (batch.length > 1) for (const one of batch) void answer([one]);
      else for (const { reject } of batch) reject(error);
      return;
    }
    for (const [index, { resolve, reject }] of batch.entries()) {
      const found = answers[index];
      if (found === undefined) reject(new Error('a value has no answer'));
      else resolve(found);
    }
  }

  function answerWaiting(): void {
    // To the garbage collector, an array that has waited here for long would keep alive what was in it.
    void answer(waiting.splice(0));
  }

  return (value) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) queueMicrotask(answerWaiting);
      waiting.push({ value, resolve, reject });
    });
}
