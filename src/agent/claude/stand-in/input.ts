import type { Clock } from '../../../base/clock.ts';
import { Box } from './box.ts';
import type { Press } from './keys.ts';
import type { Manners } from './manners.ts';

/** What a key press in the box requests beyond editing the box. */
export type Request =
  | { readonly is: 'submit'; readonly text: string }
  | { readonly is: 'interrupt' }
  | { readonly is: 'rewind' }
  | { readonly is: 'leave' }
  | { readonly is: 'nothing' };

const AGAIN_MS = 1_000;
const NOTHING: Request = { is: 'nothing' };

/** The input box with its keys, and the Enter presses that it loses. */
export class Input {
  readonly box = new Box();
  /** Until it is ready, Enter is lost. */
  isReady = false;
  /** The hint after a large paste replaces the footer until a turn has ended. */
  hasPasted = false;
  readonly #clock: Clock;
  readonly #manners: Manners;
  #digestedMs = 0;
  #entersToLose = 0;
  #ctrlCMs = Number.NEGATIVE_INFINITY;
  #escapeMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, manners: Manners) {
    this.#clock = clock;
    this.#manners = manners;
  }

  /** The text that replaces the footer. */
  get hint(): string | null {
    if (this.#clock.steadyMs() - this.#ctrlCMs < AGAIN_MS) return 'Press Ctrl-C again to exit';
    return this.hasPasted ? 'paste again to expand' : null;
  }

  press(press: Press, columns: number, isBusy: boolean): Request {
    switch (press.is) {
      case 'text':
        this.box.type(press.text);
        return NOTHING;
      case 'paste':
        return this.#paste(press.text);
      case 'backspace':
        this.box.backspace();
        return NOTHING;
      case 'clear':
        this.box.clearRow(columns);
        return NOTHING;
      case 'enter':
        return this.#enter();
      case 'escape':
        return isBusy ? { is: 'interrupt' } : this.#escape();
      case 'ctrl-c':
        return isBusy ? { is: 'interrupt' } : this.#ctrlC();
      default:
        return NOTHING;
    }
  }

  #paste(text: string): Request {
    this.#digestedMs = this.#clock.steadyMs() + this.#manners.digestMs;
    this.#entersToLose = this.#manners.lostEnters;
    if (this.box.paste(text)) this.hasPasted = true;
    return NOTHING;
  }

  #enter(): Request {
    if (!this.isReady || this.#clock.steadyMs() < this.#digestedMs) return NOTHING;
    if (this.#entersToLose > 0) {
      this.#entersToLose -= 1;
      return NOTHING;
    }
    return { is: 'submit', text: this.box.take() };
  }

  /** The second Escape clears the box; in an empty box it opens a dialog. */
  #escape(): Request {
    const isSecond = this.#clock.steadyMs() - this.#escapeMs < AGAIN_MS;
    this.#escapeMs = isSecond ? Number.NEGATIVE_INFINITY : this.#clock.steadyMs();
    if (!isSecond) return NOTHING;
    const isEmpty = this.box.shown === '';
    this.box.clear();
    return isEmpty ? { is: 'rewind' } : NOTHING;
  }

  /** The second Ctrl-C exits, whatever was pasted in between. */
  #ctrlC(): Request {
    if (this.#clock.steadyMs() - this.#ctrlCMs < AGAIN_MS) return { is: 'leave' };
    this.#ctrlCMs = this.#clock.steadyMs();
    this.box.clear();
    return NOTHING;
  }
}
