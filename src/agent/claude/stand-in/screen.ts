import { paint, type Scene, type Size } from './paint.ts';

const ENTER = '\x1b[?1049h\x1b[?2004h\x1b[2J\x1b[H';
const LEAVE = '\x1b[?2004l\x1b[?25h\x1b[?1049l';

/** The terminal that the full screen is drawn on. Only rows that changed are written. */
export class Screen {
  readonly #write: (text: string) => void;
  #rows: readonly string[] = [];
  #title = '';

  constructor(write: (text: string) => void) {
    this.#write = write;
    this.#write(ENTER);
  }

  get size(): Size {
    return { columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 };
  }

  show(scene: Scene): void {
    const rows = paint(scene, this.size);
    const changed = rows.flatMap((row, i) => (row === this.#rows[i] ? [] : [`\x1b[${i + 1};1H${row}\x1b[K`]));
    this.#rows = rows;
    const title = `${scene.busySeconds === null ? '✳' : '◐'} Claude Code`;
    if (title !== this.#title) changed.push(`\x1b]0;${title}\x07`);
    this.#title = title;
    if (changed.length > 0) this.#write(changed.join('') + cursorAt(rows));
  }

  /** The size changed: everything must be drawn again. */
  forget(): void {
    this.#rows = [];
    this.#write('\x1b[2J');
  }

  leave(last: string): void {
    this.#write(`${LEAVE}${last}\n`);
  }
}

/** The position in the box for the next character. */
function cursorAt(rows: readonly string[]): string {
  const bottom = rows.findLastIndex((row) => row.startsWith('───'));
  return bottom < 1 ? '' : `\x1b[${bottom};${(rows[bottom - 1] ?? '').length + 1}H`;
}
