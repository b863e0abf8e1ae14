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
    // Only now and then: shifting the whole list for each item would be slow.
    if (this.#last.length > 2 * this.#lastMax) this.#last = this.#last.slice(-this.#lastMax);
  }

  /** The kept items; `gap` creates an item for those that were dropped. */
  all(gap: (leftOut: number) => T): T[] {
    const last = this.#last.slice(-this.#lastMax);
    const leftOut = this.#count - this.#first.length - last.length;
    return leftOut === 0 ? [...this.#first, ...last] : [...this.#first, gap(leftOut), ...last];
  }

  /** The kept items without a gap. */
  kept(): T[] {
    return [...this.#first, ...this.#last.slice(-this.#lastMax)];
  }

  /** How many items were added. */
  get count(): number {
    return this.#count;
  }
}
