import type { SessionRow } from '../../client/index.ts';
import { nameOf } from '../../present/state.ts';
import { FRAME_ROWS, type Scene } from './board.ts';
import { Doing } from './doing.ts';
import { followSessions } from './follow.ts';
import { type Item, itemsOf } from './items.ts';
import type { Key } from './key.ts';
import { LiveList } from './live-list.ts';
import type { TopInput } from './main.ts';
import { Painter } from './paint.ts';
import { approvalRows, pictureOf } from './picture.ts';
import { type Act, press } from './press.ts';
import { Tty } from './tty.ts';
import { START, settled, type Ui } from './ui.ts';

/** Changes are drawn at most this often; keys at once. */
const FRAME_MS = 100;
/** The ages on the screen grow. */
const TICK_MS = 1_000;

/** The board on the terminal of a person. */
export class Top {
  readonly #input: TopInput;
  readonly #list = new LiveList();
  readonly #painter: Painter;
  readonly #tty: Tty;
  readonly #doing: Doing;
  readonly #over = new AbortController();
  #items: readonly Item[] = [];
  #ui: Ui = START;
  #isChanged = true;
  #wake = Promise.withResolvers<void>();
  #hurry = new AbortController();
  #isAway = false;
  #end: number | Error | null = null;

  constructor(input: TopInput) {
    this.#input = input;
    const { env, print, clock } = input;
    const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
    this.#painter = new Painter({ hasColours: print.style('bold', 'x') !== 'x', isUnicode: /utf-?8/i.test(locale) });
    this.#doing = new Doing(input, {
      nameOf: (session) => this.#nameOf(session),
      mode: () => this.#ui.mode,
      set: (change) => this.#set({ ...this.#ui, ...change }),
      away: (work) => this.#lend(work),
    });
    const key = (pressed: Key): void => this.#press(pressed);
    const end = (status: number): void => this.#leave(status);
    this.#tty = new Tty({ key, end, redraw: () => this.#redraw() }, clock);
  }

  async run(): Promise<number> {
    this.#tty.open();
    const { signal } = this.#over;
    const following = this.#follow(signal).catch((error) => this.#leave(error));
    const ticking = this.#tick(signal);
    try {
      await this.#draw();
    } finally {
      this.#over.abort();
      this.#tty.close();
    }
    await Promise.all([following, ticking]);
    if (this.#end instanceof Error) throw this.#end;
    return this.#end ?? 0;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { clock } = this.#input;
    for await (const line of followSessions(this.#input, clock, signal)) {
      this.#list.take(line, clock.wallMs());
      this.#isChanged = true;
      const { mode } = this.#ui;
      if (mode.is === 'approval' && line.is === 'row' && line.row.id === mode.session) void this.#doing.recheck(mode);
      // Half a list would be drawn only to be drawn again.
      if (this.#list.connection.is !== 'connecting') this.#wake.resolve();
    }
  }

  async #tick(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#input.clock.sleep(TICK_MS, signal);
      this.#wake.resolve();
    }
  }

  async #draw(): Promise<void> {
    const { clock, print } = this.#input;
    while (this.#end === null) {
      this.#wake = Promise.withResolvers();
      this.#hurry = new AbortController();
      const bytes = this.#isAway ? '' : this.#painter.paint(pictureOf(this.#scene()));
      // A slow terminal slows this down: what changes meanwhile is in the next picture.
      if (bytes !== '') await print.stdout.write(bytes);
      if (this.#end !== null) return;
      await clock.sleep(FRAME_MS, this.#hurry.signal);
      await this.#wake.promise;
    }
  }

  #scene(): Scene {
    const { columns, height } = this.#tty.size;
    if (this.#isChanged) this.#items = itemsOf(this.#list.rows.values(), this.#ui);
    this.#isChanged = false;
    this.#ui = settled(this.#ui, this.#items, Math.max(height - FRAME_ROWS, 1));
    const { rows, connection } = this.#list;
    const { clock } = this.#input;
    const now = { nowMs: clock.wallMs(), steadyMs: clock.steadyMs() };
    return { ui: this.#ui, rows, items: this.#items, connection, columns, height, ...now };
  }

  #press(key: Key): void {
    const { items, ui, columns, height, steadyMs } = this.#scene();
    const rows = Math.max(height - FRAME_ROWS, 1);
    const lines = ui.mode.is === 'approval' ? approvalRows(ui.mode, columns, steadyMs).length : 0;
    const firstMax = Math.max(lines - Math.max(height - 2, 1), 0);
    const pressed = press(ui, key, { items, rows, firstMax, nowMs: steadyMs });
    this.#set(pressed.ui);
    if (pressed.act !== undefined) this.#act(pressed.act);
  }

  #act(act: Act): void {
    switch (act.do) {
      case 'quit':
        return this.#leave(0);
      case 'suspend':
        return this.#tty.suspend();
      case 'redraw':
        return this.#redraw();
      default:
        return void this.#doing.act(act);
    }
  }

  #set(ui: Ui): void {
    if (ui.filter !== this.#ui.filter || ui.isTree !== this.#ui.isTree) this.#isChanged = true;
    this.#ui = ui;
    this.#now();
  }

  #redraw(): void {
    this.#painter.forget();
    this.#now();
  }

  /** Draws without the pause between two pictures. */
  #now(): void {
    this.#hurry.abort();
    this.#wake.resolve();
  }

  async #lend(work: () => Promise<void>): Promise<void> {
    this.#isAway = true;
    try {
      await this.#tty.away(work);
    } finally {
      this.#isAway = false;
      this.#redraw();
    }
  }

  #leave(end: unknown): void {
    this.#end ??= typeof end === 'number' ? end : end instanceof Error ? end : new Error(String(end));
    this.#now();
  }

  #nameOf(session: string): string {
    const row: SessionRow | undefined = this.#list.rows.get(session);
    return row === undefined ? session : nameOf(row);
  }
}
