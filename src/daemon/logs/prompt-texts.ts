import type { EventBody } from '../../core/event.ts';

/** The texts of the prompts of a session. */
export class PromptTexts {
  readonly #given = new Map<string, string>();
  /** With updates before it, or with what other sessions replied filled in. */
  readonly #whole = new Map<string, string>();

  /** Notes what an event says about the text of a prompt. */
  hear(body: EventBody): void {
    if (body.type === 'prompt.queued') this.#given.set(body.prompt, body.text);
    if (body.type === 'session.followed') for (const { prompt, text } of body.texts) this.#whole.set(prompt, text);
    if (body.type === 'update.delivered' && body.text !== undefined) this.#whole.set(body.prompt, body.text);
  }

  /** The text that a caller gave. */
  of(prompt: string): string {
    return this.#given.get(prompt) ?? this.whole(prompt);
  }

  /** The text that the agent got. */
  whole(prompt: string): string {
    return this.#whole.get(prompt) ?? this.#given.get(prompt) ?? '';
  }

  /** The oldest prompt of which a text is the wanted one, and that is not taken. */
  find(isWanted: (text: string) => boolean, isTaken: (prompt: string) => boolean): string | null {
    const ids = [...new Set([...this.#given.keys(), ...this.#whole.keys()])];
    return ids.find((id) => !isTaken(id) && (isWanted(this.of(id)) || isWanted(this.whole(id)))) ?? null;
  }
}
