import serializing from '@xterm/addon-serialize';
import headless from '@xterm/headless';
import { GRAPHEMES } from '../base/grapheme-width.ts';
import type { Size } from '../core/session.ts';
import { type StyledScreen, type StyledWish, wantedAbove } from './styled.ts';
import { styledRows } from './styled-cells.ts';
import type { Screen } from './terminal.ts';

/** Terminal modes that the program has set. Keys and pastes are encoded accordingly. */
export interface Modes {
  readonly applicationCursor: boolean;
  readonly applicationKeypad: boolean;
  readonly bracketedPaste: boolean;
  readonly alternateScreen: boolean;
}

/** Lines above the screen that a viewer can scroll back to. The output file has the rest. */
const SCROLLBACK_LINES = 1_000;

/** Small enough that reading the program's output continues in between, large enough to be worth a call. */
const SLICE_BYTES = 64 * 1024;

/** More than any window title shows. */
const TITLE_CHARS_MAX = 1_000;

/** What a person would see after these bytes, on a screen of this size. */
export async function renderScreen(
  tail: Uint8Array,
  size: Size,
  options: { readonly convertEol: boolean },
): Promise<Screen> {
  return drawn(tail, size, options, (emulator) => emulator.screen());
}

/** What a person would see after these bytes, with its colours; the offset counts from the first of them. */
export async function renderStyled(
  tail: Uint8Array,
  size: Size,
  options: { readonly convertEol: boolean; readonly wish: StyledWish },
): Promise<StyledScreen> {
  return drawn(tail, size, options, (emulator) => emulator.styled(options.wish));
}

async function drawn<T>(
  tail: Uint8Array,
  size: Size,
  options: { readonly convertEol: boolean },
  read: (emulator: Emulator) => T,
): Promise<T> {
  const emulator = new Emulator(size, options);
  emulator.feed(tail);
  await emulator.settled();
  const screen = read(emulator);
  emulator.dispose();
  return screen;
}

/** A terminal without a window: it processes all output in order, and answers what programs ask of a terminal. */
export class Emulator {
  /** Called with each piece as it reaches the screen: a viewer added in between sees no byte twice and misses none. */
  onShown: (piece: Uint8Array) => void = () => {};
  /** Called with what the terminal answers to a query. */
  onReply: (bytes: Uint8Array) => void = () => {};
  /** Called after each piece is shown. */
  onCaughtUp: () => void = () => {};
  readonly #terminal: InstanceType<typeof headless.Terminal>;
  readonly #serialize = new serializing.SerializeAddon();
  readonly #unserialized = new Map<number, boolean>();
  /** Pieces not yet shown; a function is called when all before it is shown. */
  #queue: (Uint8Array | (() => void))[] = [];
  #lagBytes = 0;
  #shownBytes = 0;
  #busy = false;
  #title: string | null = null;

  constructor(size: Size, options: { readonly convertEol: boolean } = { convertEol: false }) {
    this.#terminal = new headless.Terminal({
      cols: size.columns,
      rows: size.rows,
      scrollback: SCROLLBACK_LINES,
      convertEol: options.convertEol,
      allowProposedApi: true,
    });
    this.#terminal.unicode.register(GRAPHEMES);
    this.#terminal.unicode.activeVersion = GRAPHEMES.version;
    this.#terminal.loadAddon(this.#serialize);
    this.#terminal.onData((text) => this.onReply(Buffer.from(text)));
    this.#terminal.onTitleChange((title) => {
      this.#title = title.slice(0, TITLE_CHARS_MAX);
    });
    this.#terminal.onBinary((text) => this.onReply(Buffer.from(text, 'latin1')));
    this.#followUnserialized();
  }

  /** How many bytes were fed but not yet shown. */
  get lagBytes(): number {
    return this.#lagBytes;
  }

  feed(bytes: Uint8Array): void {
    this.#lagBytes += bytes.length;
    this.#queue.push(bytes);
    this.#work();
  }

  /** Calls back when all that was fed so far is shown, and before anything that comes later is. */
  after(callback: () => void): void {
    this.#queue.push(callback);
    this.#work();
  }

  /** Resolves when all that was fed so far is shown. */
  settled(): Promise<void> {
    return new Promise((resolve) => this.after(resolve));
  }

  resize(size: Size): void {
    this.#terminal.resize(size.columns, size.rows);
  }

  screen(): Screen {
    const buffer = this.#terminal.buffer.active;
    const rows: string[] = [];
    for (let row = 0; row < this.#terminal.rows; row += 1) {
      rows.push(buffer.getLine(buffer.baseY + row)?.translateToString(true) ?? '');
    }
    const cursor = { row: buffer.cursorY, column: buffer.cursorX };
    return { rows, columns: this.#terminal.cols, cursor, title: this.#title };
  }

  /** The screen as it looks; the offset counts the bytes that were fed. */
  styled(wish: StyledWish): StyledScreen {
    const { active } = this.#terminal.buffer;
    const [from, to] = wantedAbove(active.baseY, wish);
    const { applicationCursor, applicationKeypad } = this.modes();
    return {
      ...this.screen(),
      styled: styledRows(active, active.baseY, active.baseY + this.#terminal.rows),
      above: styledRows(active, from, to),
      history: active.baseY,
      cursorHidden: this.#unserialized.get(25) === false,
      applicationCursor,
      applicationKeypad,
      offset: this.#shownBytes,
    };
  }

  modes(): Modes {
    return {
      applicationCursor: this.#terminal.modes.applicationCursorKeysMode,
      applicationKeypad: this.#terminal.modes.applicationKeypadMode,
      bracketedPaste: this.#terminal.modes.bracketedPasteMode,
      alternateScreen: this.#terminal.buffer.active.type === 'alternate',
    };
  }

  /** Bytes that bring another terminal into the same state. */
  serialize(): Uint8Array {
    const modes = [...this.#unserialized].map(([mode, on]) => `\x1b[?${mode}${on ? 'h' : 'l'}`);
    return Buffer.from(this.#serialize.serialize() + modes.join(''));
  }

  dispose(): void {
    this.#terminal.dispose();
  }

  #work(): void {
    if (this.#busy) return;
    this.#releaseWaiters();
    const slice = this.#takeSlice();
    if (slice === null) return;
    this.#busy = true;
    this.onShown(slice);
    this.#terminal.write(slice, () => {
      this.#lagBytes -= slice.length;
      this.#shownBytes += slice.length;
      this.#busy = false;
      this.onCaughtUp();
      this.#work();
    });
  }

  #releaseWaiters(): void {
    for (let first = this.#queue[0]; typeof first === 'function'; first = this.#queue[0]) {
      this.#queue.shift();
      first();
    }
  }

  #takeSlice(): Uint8Array | null {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for (const piece of this.#queue) {
      if (typeof piece === 'function' || bytes >= SLICE_BYTES) break;
      pieces.push(piece);
      bytes += piece.length;
    }
    this.#queue.splice(0, pieces.length);
    return pieces.length === 0 ? null : Buffer.concat(pieces, bytes);
  }

  /** The addon leaves out a hidden cursor and the mouse encodings; a viewer needs both. */
  #followUnserialized(): void {
    const follow = (on: boolean) => (params: (number | number[])[]) => {
      for (const mode of params) {
        if (typeof mode === 'number' && UNSERIALIZED.has(mode)) this.#unserialized.set(mode, on);
      }
      return false; // The terminal also handles it itself.
    };
    this.#terminal.parser.registerCsiHandler({ prefix: '?', final: 'h' }, follow(true));
    this.#terminal.parser.registerCsiHandler({ prefix: '?', final: 'l' }, follow(false));
    this.#terminal.parser.registerEscHandler({ final: 'c' }, () => {
      this.#unserialized.clear();
      return false;
    });
  }
}

const UNSERIALIZED = new Set([25, 1005, 1006, 1015, 1016]);
