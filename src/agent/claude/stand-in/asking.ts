import { type Dialog, dialogRows } from './dialogs.ts';
import type { Press } from './keys.ts';

/** The open dialog, if any. It receives all keys while it is open. */
export class Asking {
  #dialog: Dialog | null = null;
  #chosen = 0;
  #answer: (agrees: boolean) => void = () => {};

  get isOpen(): boolean {
    return this.#dialog !== null;
  }

  /** The rows on the screen. */
  get rows(): readonly string[] | null {
    return this.#dialog === null ? null : dialogRows(this.#dialog, this.#chosen);
  }

  /** Opens a dialog and returns whether the answer lets the agent continue. If the signal fires, it does not. */
  open(dialog: Dialog, signal?: AbortSignal): Promise<boolean> {
    this.#dialog = dialog;
    this.#chosen = dialog.chosen;
    return new Promise((resolve) => {
      this.#answer = (agrees) => {
        this.#dialog = null;
        resolve(agrees);
      };
      signal?.addEventListener('abort', () => this.#answer(false), { once: true });
    });
  }

  press(press: Press): void {
    const { answers = [], agreeing = [] } = this.#dialog ?? {};
    if (press.is === 'up') this.#chosen = Math.max(0, this.#chosen - 1);
    if (press.is === 'down') this.#chosen = Math.min(answers.length - 1, this.#chosen + 1);
    if (press.is === 'enter') this.#answer(agreeing.includes(this.#chosen));
    if (press.is === 'escape' || press.is === 'ctrl-c') this.#answer(false);
    const number = press.is === 'text' ? answers.findIndex((one) => one.startsWith(`${press.text}.`)) : -1;
    if (number >= 0) this.#answer(agreeing.includes(number));
  }
}
