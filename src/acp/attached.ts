import type { PromptResponse } from '@agentclientprotocol/sdk';
import { type Outlast, OutlastError } from '../client/index.ts';
import type { Editor } from './editor.ts';
import { type SentImage, withFiles } from './images.ts';
import { Questions } from './questions.ts';
import { Shown } from './shown.ts';
import { answerOf, type Ending } from './stop.ts';

/** What every open session of a connection needs. */
export interface AttachedParts {
  readonly outlast: Outlast;
  readonly editor: Editor;
}

/** The content of a prompt. */
export interface GivenPrompt {
  readonly text: string;
  readonly images: readonly SentImage[];
}

/**
 * One session that the editor has open: its conversation and its questions are passed on as they come. It holds nothing
 * that could be lost: an editor that opens the session again is shown the same.
 */
export class Attached {
  readonly id: string;
  /** It has got a prompt, from this connection or before. */
  isUsed: boolean;
  readonly #parts: AttachedParts;
  readonly #shown: Shown;
  readonly #questions: Questions;
  #following: AbortController | null = null;
  /** The prompt whose reply the editor waits for. */
  #running: string | null = null;

  constructor(parts: AttachedParts, session: { readonly id: string; readonly workspace: string }, isUsed: boolean) {
    this.id = session.id;
    this.isUsed = isUsed;
    this.#parts = parts;
    this.#shown = new Shown(session.workspace);
    this.#questions = new Questions(parts, this.id, this.#shown);
  }

  /** Does the editor wait for a reply? */
  get isWaiting(): boolean {
    return this.#running !== null;
  }

  /** Was this prompt given by this connection? */
  isOwn(prompt: string): boolean {
    return this.#shown.isOwn(prompt);
  }

  /** Shows the conversation so far. */
  async replay(): Promise<void> {
    await this.#read();
    await this.#parts.editor.sent();
  }

  /** Takes the conversation so far for shown: the editor has it. */
  async skip(): Promise<void> {
    for await (const line of this.#parts.outlast.turns({ session: this.id })) this.#shown.take(line);
  }

  /** Passes on what happens from now on, until the session ends or the editor leaves. */
  follow(): void {
    if (this.#following !== null) return;
    const over = new AbortController();
    this.#following = over;
    const all = [this.#followTurns(over.signal), this.#questions.follow(over.signal)];
    const ended = (): void => {
      if (this.#following === over) this.#following = null;
    };
    // What ends a stream is the end of the session; of anything else the person is told.
    void Promise.all(all).then(ended, (error: unknown) => {
      ended();
      if (!over.signal.aborted) this.#parts.editor.tell(this.id, `cannot follow the session any more: ${error}`);
    });
  }

  /** Stops passing on. The session goes on. */
  leave(): void {
    this.#following?.abort();
    this.#following = null;
  }

  /** Gives the session a prompt and waits for its turn to end. A repeated key is the same prompt. */
  async prompt({ text, images }: GivenPrompt, key: string, signal: AbortSignal): Promise<PromptResponse> {
    const { outlast } = this.#parts;
    await this.#resumeEnded();
    this.#shown.own(key);
    this.isUsed = true;
    const { prompt } = await withFiles(images, (paths) =>
      outlast.prompt({ session: this.id, prompt: text, images: paths, key }),
    );
    this.follow();
    return this.#answer(prompt, signal);
  }

  /** Waits for the end of a prompt that the session has already. */
  async join(prompt: string, signal: AbortSignal): Promise<PromptResponse> {
    this.#shown.own(prompt);
    this.follow();
    return this.#answer(prompt, signal);
  }

  /** Ends the turn of the editor's prompt, or else whichever turn is running. */
  async cancel(): Promise<void> {
    const { outlast } = this.#parts;
    const prompt = this.#running;
    for (;;) {
      const { after } = await outlast.daemonStatus();
      const { session } = await outlast.show(this.id);
      const own = session.prompts.find(({ id }) => id === prompt);
      if (prompt !== null && own === undefined) return;
      const isSent = own === undefined || own.state === 'sending' || own.state === 'accepted';
      if (!isSent) return void (await this.#drop(own.id));
      // What is refused otherwise needs a person, and the answer to the prompt says so.
      if ((await this.#interrupt()) || own?.state !== 'sending') return;
      // It is being sent: it cannot be taken back, and its turn has not begun.
      await outlast.wait({ session: this.id, for: 'event:prompt.', after, timeoutMs: 1_000 });
    }
  }

  async #answer(prompt: string, signal: AbortSignal): Promise<PromptResponse> {
    const { outlast, editor } = this.#parts;
    const over = new AbortController();
    const cancel = (): void => void this.cancel().catch(() => {});
    signal.addEventListener('abort', cancel, { once: true, signal: over.signal });
    this.#running = prompt;
    try {
      let replied = await outlast.reply({ session: this.id, prompt });
      if (replied.met === 'limited') {
        editor.tell(this.id, answerOf(replied).text);
        replied = await outlast.reply({ session: this.id, prompt, throughLimits: true });
      }
      await this.#settle(prompt, answerOf(replied), replied.reply);
      return answerOf(replied).response();
    } finally {
      over.abort();
      if (this.#running === prompt) this.#running = null;
      await editor.sent();
    }
  }

  /** A reply is known before it is recorded: whatever of the turn was not shown yet is shown now. */
  async #settle(prompt: string, { is }: Ending, reply: string | null): Promise<void> {
    const { outlast, editor } = this.#parts;
    if (is === 'stuck') return;
    // It waits until the turn is recorded. An agent that records nothing has no turns.
    await outlast.turn({ session: this.id }).catch(ignoreRefusal);
    await this.#read();
    if (is !== 'answered' || reply === null || reply.trim() === '' || this.#shown.hasSaid(prompt, reply)) return;
    editor.update(this.id, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: reply } });
  }

  async #read(): Promise<void> {
    const { outlast } = this.#parts;
    const lines = outlast.turns({ session: this.id, from: this.#shown.turn });
    for await (const line of lines) this.#show(line);
  }

  async #followTurns(signal: AbortSignal): Promise<void> {
    const { outlast, editor } = this.#parts;
    const lines = outlast.turns({ session: this.id, follow: true, from: this.#shown.turn }, signal);
    for await (const line of lines) {
      this.#show(line);
      // An editor that does not read holds up only its own session.
      await editor.sent();
    }
  }

  #show(line: Parameters<Shown['take']>[0]): void {
    for (const update of this.#shown.take(line)) this.#parts.editor.update(this.id, update);
  }

  async #resumeEnded(): Promise<void> {
    const { outlast, editor } = this.#parts;
    const { session } = await outlast.show(this.id);
    if (session.phase === 'ended') await outlast.resume({ session: this.id, by: editor.name });
  }

  async #drop(prompt: string): Promise<void> {
    const { outlast } = this.#parts;
    await outlast.drop(this.id, prompt).catch(ignoreRefusal);
  }

  /** False: no turn is running. */
  async #interrupt(): Promise<boolean> {
    try {
      await this.#parts.outlast.interrupt(this.id);
      return true;
    } catch (error) {
      if (error instanceof OutlastError && error.code !== 'daemon_unreachable') return false;
      throw error;
    }
  }
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof OutlastError)) throw error;
}
