/** A list that keeps its beginning and its end, however long it gets. */
export class Ends<T> {
  readonly #firstMax: number;
  readonly #lastMax: number;
  readonly #first: T[] = [];
  #last: T[] = [];
  #count = 0;

  constructor(firstMax: number, lastMax: number) {
    this.#firstMax = firstMax;
    this.#lastMax = lastMax;
  }

  add(item: T): void {
    this.#count += 1;
    if (this.#first.length < this.#firstMax) this.#first.push(item);
    else this.#last.push(item);
    // Now and then only: moving the whole list for each item would be slow.
    if (this.#last.length > 2 * this.#lastMax) this.#last = this.#last.slice(-this.#lastMax);
  }

  /** What is kept; `gap` stands for what is not. */
  all(gap: (leftOut: number) => T): T[] {
    const last = this.#last.slice(-this.#lastMax);
    const leftOut = this.#count - this.#first.length - last.length;
    return leftOut === 0 ? [...this.#first, ...last] : [...this.#first, gap(leftOut), ...last];
  }

  /** What is kept, without a word about the rest. */
  kept(): T[] {
    return [...this.#first, ...this.#last.slice(-this.#lastMax)];
  }

  /** How many there were. */
  get count(): number {
    return this.#count;
  }
}
