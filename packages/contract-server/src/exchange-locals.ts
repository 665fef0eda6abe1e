/** What the engine and those before and after it tell each other of an exchange, in `res.locals`. */
export interface ExchangeLocals {
  /**
   * Headers that go with every response, whatever it is, each name followed by its value; from whoever
   * stands before the engine.
   */
  responseHeaders?: readonly string[];
  /** From the engine, as soon as it knows. */
  operationId?: string;
  principal?: unknown;
}
