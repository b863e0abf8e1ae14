import { type Signal, signal } from '@preact/signals';
import type { Outlast, OutputPage } from '../../client/browser.ts';
import type { Place } from './screen-view.tsx';

const PAGE_LINES = 500;
/** More lines than this are not kept on the page; those that were read first are loaded again when needed. */
const LINES_MAX = 4_000;
const FIND_LINES = 5_000;

/** Lines of the output of a session: consecutive ones, as far as somebody reads. */
export class OutputText {
  /** Null: not loaded yet. */
  readonly lines: Signal<readonly string[] | null> = signal(null);
  /** The number of the first of them. */
  readonly first: Signal<number> = signal(0);
  readonly hasNewer: Signal<boolean> = signal(true);
  readonly droppedBytes: Signal<number> = signal(0);
  readonly isIncomplete: Signal<boolean> = signal(false);
  /** The line that was found last. */
  readonly found: Signal<number | null> = signal(null);
  readonly #outlast: Outlast;
  readonly #session: string;
  /** The line after the last complete one that is here. */
  #next = 0;
  #isLoading = false;

  constructor(outlast: Outlast, session: string) {
    this.#outlast = outlast;
    this.#session = session;
  }

  /** Loads what is around a place. */
  async open(place: Place, signal?: AbortSignal): Promise<void> {
    const at = place === 'end' ? { tail: PAGE_LINES } : { from: place.from, limit: PAGE_LINES };
    this.#show(await this.#read(at, signal));
  }

  /** Loads older lines. */
  older(signal?: AbortSignal): Promise<void> {
    return this.#once(async () => {
      const to = this.first.value;
      if (to === 0 || this.lines.value === null) return;
      const offset = Math.max(0, to - PAGE_LINES);
      const { lines } = linesOf(await this.#read({ offset, limit: to - offset }, signal));
      this.first.value = offset;
      const all = [...lines.slice(0, to - offset), ...this.lines.value];
      if (all.length > LINES_MAX) this.hasNewer.value = true;
      this.#next = Math.min(this.#next, offset + LINES_MAX);
      this.lines.value = all.slice(0, LINES_MAX);
    });
  }

  /** Loads newer lines, if there are any. */
  newer(signal?: AbortSignal): Promise<void> {
    return this.#once(async () => {
      if (this.lines.value === null) return;
      const page = await this.#read({ offset: this.#next, limit: PAGE_LINES }, signal);
      const { lines, next } = linesOf(page);
      const kept = this.lines.value.slice(0, Math.max(0, this.#next - this.first.value));
      this.hasNewer.value = page.more;
      this.#next = next;
      const all = [...kept, ...lines];
      const isSame = all.length === this.lines.value.length && all.at(-1) === this.lines.value.at(-1);
      if (isSame) return;
      this.first.value += Math.max(0, all.length - LINES_MAX);
      this.lines.value = all.slice(-LINES_MAX);
    });
  }

  /** Looks for a text in all of the output: upwards from what was found last, else from the end. */
  async find(text: string, signal?: AbortSignal): Promise<boolean> {
    const wanted = text.toLowerCase();
    const { lines: all } = await this.#read({ tail: 0 }, signal);
    for (let to = this.found.value ?? all?.total ?? 0; to > 0; ) {
      const offset = Math.max(0, to - FIND_LINES);
      const { lines } = linesOf(await this.#read({ offset, limit: to - offset }, signal));
      const at = lines.slice(0, to - offset).findLastIndex((line) => line.toLowerCase().includes(wanted));
      if (at >= 0) {
        await this.#goTo(offset + at, signal);
        return true;
      }
      to = offset;
    }
    this.found.value = null;
    return false;
  }

  async #goTo(line: number, signal?: AbortSignal): Promise<void> {
    const isHere = line >= this.first.value && line < this.first.value + (this.lines.value?.length ?? 0);
    if (!isHere) {
      const offset = Math.max(0, line - PAGE_LINES / 2);
      this.#show(await this.#read({ offset, limit: PAGE_LINES }, signal));
    }
    this.found.value = line;
  }

  #show(page: OutputPage): void {
    const { lines, next } = linesOf(page);
    this.first.value = page.lines?.offset ?? 0;
    this.#next = next;
    this.hasNewer.value = page.more;
    this.lines.value = lines;
  }

  async #read(at: { tail?: number; from?: number; offset?: number; limit?: number }, signal?: AbortSignal) {
    const page = await this.#outlast.output({ session: this.#session, ...at }, signal);
    this.droppedBytes.value = page.droppedBytes;
    this.isIncomplete.value = page.incomplete;
    return page;
  }

  async #once(work: () => Promise<void>): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      await work();
    } finally {
      this.#isLoading = false;
    }
  }
}

/** The lines of a page; an unfinished last line comes again with the next page. */
function linesOf({ text = '', lines }: OutputPage): { lines: string[]; next: number } {
  const parts = text.split('\n');
  if (parts.at(-1) === '') parts.pop();
  return { lines: parts, next: lines?.next ?? parts.length };
}
