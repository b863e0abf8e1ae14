import type { Clock } from '../../../base/clock.ts';
import { Box } from './box.ts';
import type { Press } from './keys.ts';
import type { Manners } from './manners.ts';

/** What a key press in the box asks for beyond the box itself. */
export type Wish =
  | { readonly is: 'submit'; readonly text: string }
  | { readonly is: 'interrupt' }
  | { readonly is: 'rewind' }
  | { readonly is: 'leave' }
  | { readonly is: 'nothing' };

const AGAIN_MS = 1_000;
const NOTHING: Wish = { is: 'nothing' };

/** The input box with its keys, and the Enters that it loses. */
export class Input {
  readonly box = new Box();
  /** Enter is lost before. */
  isReady = false;
  /** The hint after a large paste takes the place of the footer until a turn is over. */
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

  /** What stands in place of the footer. */
  get hint(): string | null {
    if (this.#clock.steadyMs() - this.#ctrlCMs < AGAIN_MS) return 'Press Ctrl-C again to exit';
    return this.hasPasted ? 'paste again to expand' : null;
  }

  press(press: Press, columns: number, isBusy: boolean): Wish {
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

  #paste(text: string): Wish {
    this.#digestedMs = this.#clock.steadyMs() + this.#manners.digestMs;
    this.#entersToLose = this.#manners.lostEnters;
    if (this.box.paste(text)) this.hasPasted = true;
    return NOTHING;
  }

  #enter(): Wish {
    if (!this.isReady || this.#clock.steadyMs() < this.#digestedMs) return NOTHING;
    if (this.#entersToLose > 0) {
      this.#entersToLose -= 1;
      return NOTHING;
    }
    return { is: 'submit', text: this.box.take() };
  }

  /** The second Escape clears the box; in an empty one it opens a dialog. */
  #escape(): Wish {
    const isSecond = this.#clock.steadyMs() - this.#escapeMs < AGAIN_MS;
    this.#escapeMs = isSecond ? Number.NEGATIVE_INFINITY : this.#clock.steadyMs();
    if (!isSecond) return NOTHING;
    const isEmpty = this.box.shown === '';
    this.box.clear();
    return isEmpty ? { is: 'rewind' } : NOTHING;
  }

  /** The second Ctrl-C leaves, whatever was pasted in between. */
  #ctrlC(): Wish {
    if (this.#clock.steadyMs() - this.#ctrlCMs < AGAIN_MS) return { is: 'leave' };
    this.#ctrlCMs = this.#clock.steadyMs();
    this.box.clear();
    return NOTHING;
  }
}
