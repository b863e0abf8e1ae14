import type { CallOutput } from '../api/contract.ts';
import type { OperationName } from '../api/routes.ts';
import type { SessionView } from '../api/shapes.ts';
import type { ConverseOptions, Outlast, Replied } from './client.ts';
import { cursorOf } from './cursor.ts';
import type { Given } from './given.ts';
import { type UploadInput, upload } from './upload.ts';

type Rest<N extends OperationName> = Omit<Given<N>, 'session'>;

/** One session, held by its id: `const s = await outlast.start({ argv }); for await (const e of s.events()) …` */
export class Session {
  readonly id: string;
  /** Its state when it was started; null for a handle that was made from a name. */
  readonly started: SessionView | null;
  /** What the caller should know about the start, for example variables that were dropped. */
  readonly warnings: readonly string[];
  /** The id of the prompt it was started with. */
  readonly firstPrompt: string | null;
  /** The position before the session's events; 0 for a handle that was made from a name. */
  readonly position: number;
  /** The position of its start, as a cursor that includes the id of the journal. */
  readonly after: string | number;
  readonly #outlast: Outlast;

  constructor(outlast: Outlast, from: CallOutput<'session.start'> | string) {
    const start = typeof from === 'string' ? null : from;
    this.#outlast = outlast;
    this.started = start?.session ?? null;
    this.id = start === null ? String(from) : start.session.id;
    this.warnings = start?.warnings ?? [];
    this.firstPrompt = start?.prompt ?? null;
    this.position = start?.position ?? 0;
    this.after = start === undefined || start === null ? 0 : cursorOf(start);
  }

  /** Shows its details. */
  async show(signal?: AbortSignal): Promise<CallOutput<'session.show'>> {
    return this.#outlast.show(this.id, signal);
  }

  /** Waits for what `for` says; by default for its end. */
  wait(input: Rest<'session.wait'> = {}, signal?: AbortSignal) {
    return this.#outlast.wait({ ...input, session: this.id }, signal);
  }

  /** Waits for one thing: `await session.waitFor('idle')`. */
  waitFor(what: string, input: Omit<Rest<'session.wait'>, 'for'> = {}, signal?: AbortSignal) {
    return this.wait({ ...input, for: what }, signal);
  }

  /** Gives the agent a prompt; it is sent when the agent is free. */
  prompt(prompt: string, input: Omit<Rest<'session.prompt'>, 'prompt' | 'text'> = {}, signal?: AbortSignal) {
    return this.#outlast.prompt({ ...input, session: this.id, prompt }, signal);
  }

  /** Gives the agent a prompt and waits for the reply to it. */
  converse(prompt: string, options: ConverseOptions = {}, signal?: AbortSignal): Promise<Replied> {
    return this.#outlast.converse(this.id, prompt, options, signal);
  }

  /** Waits for the reply to a prompt; by default to the one it was started with, or the last one given. */
  reply(input: Rest<'session.reply'> = {}, signal?: AbortSignal): Promise<Replied> {
    const first = this.firstPrompt === null ? {} : { prompt: this.firstPrompt };
    return this.#outlast.reply({ ...first, ...input, session: this.id }, signal);
  }

  /** Puts a file into its folder, and returns the path: for `images` of a prompt, or to name in its text. */
  upload(file: UploadInput, signal?: AbortSignal): Promise<string> {
    return upload(this.#outlast, { ...file, session: this.id }, signal);
  }

  /** Drops a prompt that is queued or unsure. */
  drop(prompt: string, signal?: AbortSignal) {
    return this.#outlast.drop(this.id, prompt, signal);
  }

  /** Reads a turn of the conversation; without a number, the last. */
  turn(input: Rest<'session.turn'> = {}, signal?: AbortSignal) {
    return this.#outlast.turn({ ...input, session: this.id }, signal);
  }

  /** Reads its conversation step by step, and continues until it has ended. */
  turns(input: Rest<'session.turns'> = {}, signal?: AbortSignal) {
    return this.#outlast.turns({ follow: true, ...input, session: this.id }, signal);
  }

  /** Reads what happens in it as people read it, until it has ended. */
  logs(input: Rest<'session.logs'> = {}, signal?: AbortSignal) {
    return this.#outlast.logs({ follow: true, ...input, session: this.id }, signal);
  }

  /** Shows which files it has changed. */
  changes(input: Rest<'session.changes'> = {}, signal?: AbortSignal) {
    return this.#outlast.changes({ ...input, session: this.id }, signal);
  }

  /** Summarizes on one page what happened to it. */
  report(signal?: AbortSignal) {
    return this.#outlast.report(this.id, signal);
  }

  /** Resumes it after its end, on the same conversation. */
  resume(input: Rest<'session.resume'> = {}, signal?: AbortSignal) {
    return this.#outlast.resume({ ...input, session: this.id }, signal);
  }

  /** Gives control to a person; with `back` takes it back. */
  handoff(input: Rest<'session.handoff'> = {}, signal?: AbortSignal) {
    return this.#outlast.handoff({ ...input, session: this.id }, signal);
  }

  /** Its tool calls that wait for an answer, oldest first. */
  approvals(signal?: AbortSignal) {
    return this.#outlast.approvals.list({ session: this.id }, signal);
  }

  /** Events of this session, from the first one until it has ended; for a resumed session they continue. */
  async *events(input: Rest<'session.events'> = {}, signal?: AbortSignal) {
    for await (const event of this.#outlast.events({ follow: true, ...input, session: this.id }, signal)) {
      yield event;
      if (event.event === 'session.ended' && !(await this.#isResumedAfter(cursorOf(event), signal))) return;
    }
  }

  async #isResumedAfter(after: string | number, signal?: AbortSignal): Promise<boolean> {
    const later = { session: this.id, after, types: ['session.resumed'], limit: 1 };
    for await (const { event } of this.#outlast.events(later, signal)) if (event === 'session.resumed') return true;
    return false;
  }

  /** Reads output by byte or by line. */
  output(input: Rest<'session.output'> = {}, signal?: AbortSignal) {
    return this.#outlast.output({ ...input, session: this.id }, signal);
  }

  /** Shows the screen, and follows its changes until the session ends. */
  screens(input: Rest<'session.screens'> = {}, signal?: AbortSignal) {
    return this.#outlast.screens({ ...input, session: this.id }, signal);
  }

  /** Follows output, from its beginning to the end of the session. */
  follow(input: Rest<'session.follow'> = {}, signal?: AbortSignal) {
    return this.#outlast.follow({ from: 0, ...input, session: this.id }, signal);
  }

  /** Reads what this reader has not read yet. */
  poll(input: Rest<'session.poll'> = {}, signal?: AbortSignal) {
    return this.#outlast.poll({ ...input, session: this.id }, signal);
  }

  /** Acknowledges what this reader has read. */
  ack(cursor: number, reader?: string, signal?: AbortSignal) {
    return this.#outlast.ack({ session: this.id, cursor, reader }, signal);
  }

  /** Shows what a person would see; with `styled` also its colours, and rows of the history above it. */
  screen(input: Rest<'session.screen'> = {}, signal?: AbortSignal) {
    return this.#outlast.screen({ ...input, session: this.id }, signal);
  }

  /** Sends bytes, keys, a paste or the end of input. */
  write(input: Rest<'session.write'>, signal?: AbortSignal) {
    return this.#outlast.write({ ...input, session: this.id }, signal);
  }

  /** Presses keys. */
  keys(keys: string[], signal?: AbortSignal) {
    return this.#outlast.keys(this.id, keys, signal);
  }

  /** Pastes text. */
  paste(text: string, signal?: AbortSignal) {
    return this.#outlast.paste(this.id, text, signal);
  }

  /** Changes the size of its terminal. */
  resize(columns: number, rows: number, signal?: AbortSignal) {
    return this.#outlast.resize({ session: this.id, columns, rows }, signal);
  }

  /** Interrupts the command, as Ctrl-C does, or ends the turn of the agent. */
  interrupt(signal?: AbortSignal) {
    return this.#outlast.interrupt(this.id, signal);
  }

  /** Marks it as running in the background: no caller waits for it any more. */
  background(signal?: AbortSignal) {
    return this.#outlast.background(this.id, signal);
  }

  /** Ends it and everything it started. */
  stop(input: Rest<'session.stop'> = {}, signal?: AbortSignal) {
    return this.#outlast.stop({ ...input, session: this.id }, signal);
  }

  /** Removes it and its output, once it has ended. */
  remove(input: Rest<'session.remove'> = {}, signal?: AbortSignal) {
    return this.#outlast.remove({ ...input, session: this.id }, signal);
  }

  /** Returns the command that takes over its terminal. */
  attach(input: Rest<'session.attach'> = {}, signal?: AbortSignal) {
    return this.#outlast.attach({ ...input, session: this.id }, signal);
  }
}
