/** First in, first out; an array alone would move all of its items for each that leaves. */
export class Queue<Item> {
  #items: Item[] = [];
  #next = 0;

  push(item: Item): void {
    this.#items.push(item);
  }

  shift(): Item | undefined {
    if (this.#next === this.#items.length) return undefined;
    const item = this.#items[this.#next++];
    if (this.#next > 1000) {
      this.#items = this.#items.slice(this.#next);
      this.#next = 0;
    }
    return item;
  }
}
