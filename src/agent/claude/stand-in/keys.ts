import { StringDecoder } from 'node:string_decoder';

/** One action at the keyboard. */
export type Press =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'paste'; readonly text: string }
  | { readonly is: 'enter' | 'escape' | 'backspace' | 'clear' | 'ctrl-c' | 'up' | 'down' };

const START = '\x1b[200~';
const END = '\x1b[201~';
const SEQUENCE = /^\x1b(?:\[[0-?]*[ -/]*[@-~]|O[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[^[\]O])/;

const KEYS: Readonly<Record<string, Exclude<Press['is'], 'text' | 'paste'>>> = {
  '\r': 'enter',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x15': 'clear',
  '\x03': 'ctrl-c',
  '\x1b[A': 'up',
  '\x1b[B': 'down',
};

/** Turns the bytes of a terminal into key presses and pastes, however they are chunked. */
export class KeyReader {
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';
  #paste: string[] | null = null;

  /** True while a lone ESC is held back: it is the Escape key unless more follows. */
  get isPending(): boolean {
    return this.#rest !== '' && this.#paste === null;
  }

  read(bytes: Uint8Array): Press[] {
    this.#rest += this.#decoder.write(Buffer.from(bytes));
    const found: Press[] = [];
    while (this.#rest !== '') {
      const before = this.#rest;
      const press = this.#paste === null ? this.#next() : this.#pasted();
      if (press !== null) found.push(press);
      if (this.#rest === before) break;
    }
    return found;
  }

  /** Nothing followed: the held-back byte was a key. */
  flush(): Press[] {
    const isEscape = this.#rest.startsWith('\x1b') && this.#paste === null;
    if (isEscape) this.#rest = '';
    return isEscape ? [{ is: 'escape' }] : [];
  }

  #next(): Press | null {
    if (this.#rest.startsWith(START)) {
      this.#rest = this.#rest.slice(START.length);
      this.#paste = [];
      return null;
    }
    if (this.#rest.startsWith('\x1b')) return this.#sequence();
    const first = this.#rest[0] ?? '';
    const key = KEYS[first];
    // A line break with more after it in the same chunk was pasted, not pressed.
    const isInner = first === '\r' && this.#rest.length > 1 && !/^\r[\r\x1b]/.test(this.#rest);
    if (key !== undefined && !isInner) {
      this.#rest = this.#rest.slice(1);
      return { is: key };
    }
    const length = /^[^\x1b\x7f\b\x15\x03]+?(?=\r$|[\x1b\x7f\b\x15\x03]|$)/.exec(this.#rest)?.[0].length ?? 1;
    const text = this.#rest.slice(0, length);
    this.#rest = this.#rest.slice(length);
    return { is: 'text', text };
  }

  #sequence(): Press | null {
    const found = SEQUENCE.exec(this.#rest)?.[0];
    if (found === undefined) return null;
    // ESC ESC is two presses of Escape.
    const taken = found === '\x1b\x1b' ? '\x1b' : found;
    this.#rest = this.#rest.slice(taken.length);
    if (taken === '\x1b') return { is: 'escape' };
    const key = KEYS[taken];
    return key === undefined ? null : { is: key };
  }

  #pasted(): Press | null {
    const end = this.#rest.indexOf(END);
    const held = end < 0 ? Math.max(0, this.#rest.length - END.length) : end;
    this.#paste?.push(this.#rest.slice(0, held));
    this.#rest = this.#rest.slice(end < 0 ? held : end + END.length);
    if (end < 0) return null;
    const text = (this.#paste ?? []).join('');
    this.#paste = null;
    return { is: 'paste', text };
  }
}
