import type { Clock } from '../../client/clock.ts';
import { fs } from '../../client/node.ts';
import { decodeKeys, flushedKeys, type Key } from './key.ts';

// The alternate screen; no cursor, no wrapping at the last column, pastes are marked.
const ENTER = '\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h';
const LEAVE = '\x1b[0m\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l';

/** How long the rest of a sequence may take over a slow line, before it counts as Escape. */
const ESCAPE_MS = 60;
const ENDING = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export interface TtyEvents {
  readonly key: (key: Key) => void;
  /** The size changed, or the terminal was someone else's: all of it must be drawn. */
  readonly redraw: () => void;
  /** A signal wants the program to end, with this status. */
  readonly end: (status: number) => void;
}

/**
 * The terminal of a person, while the whole screen is ours. However the program ends, except by SIGKILL, it is given
 * back as it was.
 */
export class Tty {
  readonly #events: TtyEvents;
  readonly #clock: Clock;
  #isOurs = false;
  #rest = '';
  #waiting = new AbortController();

  constructor(events: TtyEvents, clock: Clock) {
    this.#events = events;
    this.#clock = clock;
  }

  get size(): { readonly columns: number; readonly height: number } {
    return { columns: process.stdout.columns || 80, height: process.stdout.rows || 24 };
  }

  open(): void {
    process.stdin.setEncoding('utf8');
    process.stdin.on('data', this.#read);
    process.stdin.on('end', this.#hangUp);
    process.stdout.on('resize', this.#events.redraw);
    for (const [signal, status] of Object.entries(ENDING)) process.on(signal, () => this.#isSignalled(status));
    process.on('SIGTSTP', this.suspend);
    process.on('SIGCONT', this.#continue);
    // Before the error is printed: on the alternate screen nobody would see it.
    process.on('uncaughtExceptionMonitor', this.#leave);
    process.on('exit', this.#leave);
    this.#enter();
  }

  close(): void {
    this.#leave();
    process.stdin.off('data', this.#read);
    process.stdin.off('end', this.#hangUp);
    process.stdout.off('resize', this.#events.redraw);
    process.off('SIGTSTP', this.suspend);
    process.off('SIGCONT', this.#continue);
  }

  /** Lends the terminal to another program. */
  async away<T>(work: () => Promise<T>): Promise<T> {
    this.#leave();
    try {
      return await work();
    } finally {
      this.#enter();
      this.#events.redraw();
    }
  }

  /** Stops this program, as Ctrl-Z does, until the shell continues it. */
  readonly suspend = (): void => {
    this.#leave();
    // The whole process group: the shell waits for its first process.
    process.kill(0, 'SIGSTOP');
  };

  readonly #continue = (): void => {
    if (this.#isOurs || this.#isLent) return;
    this.#enter();
    this.#events.redraw();
  };

  #isLent = false;

  #enter(): void {
    this.#isOurs = true;
    process.stdin.setRawMode(true);
    process.stdin.resume();
    write(ENTER);
  }

  readonly #leave = (): void => {
    if (!this.#isOurs) return;
    this.#isOurs = false;
    try {
      write(LEAVE);
      process.stdin.setRawMode(false);
      process.stdin.pause();
    } catch {
      // The terminal is gone.
    }
  };

  readonly #hangUp = (): void => this.#events.end(ENDING.SIGHUP);

  #isSignalled(status: number): void {
    // Ctrl-C ends the program that has the terminal, not the board behind it.
    if (this.#isOurs || status !== ENDING.SIGINT) this.#events.end(status);
  }

  readonly #read = (chunk: string | Buffer): void => {
    this.#waiting.abort();
    this.#take(decodeKeys(this.#rest + String(chunk)));
  };

  #take({ keys, rest }: { keys: readonly Key[]; rest: string }): void {
    this.#rest = rest;
    for (const key of keys) this.#events.key(key);
    if (rest === '') return;
    this.#waiting = new AbortController();
    const { signal } = this.#waiting;
    void this.#clock.sleep(ESCAPE_MS, signal).then(() => {
      if (!signal.aborted) this.#take({ keys: flushedKeys(rest), rest: rest.startsWith('\x1b[200~') ? rest : '' });
    });
  }
}

/** At once: there may be no later. */
function write(text: string): void {
  fs.writeSync(1, text);
}
