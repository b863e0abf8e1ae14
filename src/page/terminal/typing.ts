import { type Signal, signal } from '@preact/signals';
import type { Control } from '../live/types.ts';
import type { App } from '../model/app.ts';
import { STRINGS } from '../words/strings.ts';

const { screen: words } = STRINGS;

/** Control of one terminal, from its request until it goes back. */
export class Typing {
  /** Null: nobody types here. */
  readonly control: Signal<Control | null> = signal(null);
  readonly isAsking: Signal<boolean> = signal(false);
  /** The next letter is typed with Ctrl. */
  readonly isCtrl: Signal<boolean> = signal(false);
  readonly #app: App;
  readonly #session: string;
  #leaving = new AbortController();

  constructor(app: App, session: string) {
    this.#app = app;
    this.#session = session;
  }

  /** Takes control. It ends when the connection does, and is not taken again by itself. */
  async take(): Promise<void> {
    if (this.isAsking.value || this.control.value !== null) return;
    this.isAsking.value = true;
    this.#leaving = new AbortController();
    const { signal: leaving } = this.#leaving;
    await this.#app.perform(words.type, async () => {
      const control = await this.#app.live.control(this.#session, leaving);
      this.control.value = control;
      control.over
        .catch(() => {
          if (!leaving.aborted) this.#app.tell(words.lost, true);
        })
        .finally(() => {
          if (this.control.value === control) this.control.value = null;
        });
    });
    this.isAsking.value = false;
  }

  /** Gives control back; the terminal gets the size that it had. */
  leave(): void {
    this.#leaving.abort();
    this.control.value = null;
    this.isCtrl.value = false;
  }

  key(bytes: Uint8Array): void {
    const [first, second] = bytes;
    const isLetter = first !== undefined && second === undefined && first >= 0x40 && first < 0x7f;
    const isCtrl = this.isCtrl.value && isLetter;
    this.isCtrl.value = false;
    this.control.value?.type(isCtrl ? Uint8Array.of(first & 0x1f) : bytes);
  }

  paste(text: string): void {
    void this.#app.perform(words.paste, async () => this.control.value?.paste(text));
  }

  /** Gives the terminal the size of this window, until control goes back. */
  fit(size: { readonly columns: number; readonly rows: number }): Promise<boolean> {
    const control = this.control.value?.id;
    return this.#app.perform(words.fit, () => this.#app.outlast.resize({ session: this.#session, control, ...size }));
  }
}
