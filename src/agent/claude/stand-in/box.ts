const LINE_FEEDS_MAX = 2;
const CHARS_MAX = 800;
const ESCAPES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|.)?/g;

/** The input box: its text, and the texts behind its placeholders. */
export class Box {
  #shown = '';
  readonly #pastes = new Map<string, string>();

  /** The text as it is displayed. */
  get shown(): string {
    return this.#shown;
  }

  type(text: string): void {
    this.#shown += clean(text);
  }

  /** Inserts a paste; a large one is shown as a placeholder. Returns whether it was. */
  paste(text: string): boolean {
    const plain = clean(text);
    const feeds = plain.split('\n').length - 1;
    const isLarge = feeds > LINE_FEEDS_MAX || plain.length > CHARS_MAX;
    const mark = `[Pasted text #${this.#pastes.size + 1}${feeds > LINE_FEEDS_MAX ? ` +${feeds} lines` : ''}]`;
    if (isLarge) this.#pastes.set(mark, plain);
    this.#shown += isLarge ? mark : plain;
    return isLarge;
  }

  backspace(): void {
    const mark = [...this.#pastes.keys()].find((one) => this.#shown.endsWith(one));
    this.#shown = mark === undefined ? [...this.#shown].slice(0, -1).join('') : this.#shown.slice(0, -mark.length);
  }

  /** Deletes the last displayed row: a placeholder, the piece of a long line, or an empty line. */
  clearRow(columns: number): void {
    const mark = [...this.#pastes.keys()].find((one) => this.#shown.endsWith(one));
    if (mark !== undefined || this.#shown.endsWith('\n')) return this.backspace();
    const line = this.#shown.slice(this.#shown.lastIndexOf('\n') + 1);
    const room = Math.max(1, columns - 2);
    const length = line.length % room === 0 ? Math.min(line.length, room) : line.length % room;
    this.#shown = this.#shown.slice(0, this.#shown.length - length);
  }

  clear(): void {
    this.#shown = '';
  }

  /** Puts a submitted text back. */
  restore(text: string): void {
    this.#shown = text;
  }

  /** Empties the box and returns its text with placeholders expanded. */
  take(): string {
    const text = this.#shown.replaceAll(
      /\[Pasted text #\d+(?: \+\d+ lines)?\]/g,
      (mark) => this.#pastes.get(mark) ?? mark,
    );
    this.#shown = '';
    return text.trimEnd();
  }
}

/** Changes a text as the real agent does. */
function clean(text: string): string {
  return text.replace(ESCAPES, '').replace(/\r\n?/g, '\n').replaceAll('\t', '    ');
}
