import type { CallOutput } from '../api/contract.ts';
import type { OperationName } from '../api/routes.ts';
import type { SessionView } from '../api/shapes.ts';
import type { Outlast } from './client.ts';
import type { Given } from './given.ts';

type Rest<N extends OperationName> = Omit<Given<N>, 'session'>;

/** One session, held by its id: `const s = await outlast.start({ argv }); for await (const e of s.events()) …` */
export class Session {
  readonly id: string;
  /** How it was when it was started; null for a handle that was made from a name. */
  readonly started: SessionView | null;
  /** What the caller should know about the start, e.g. variables that were dropped. */
  readonly warnings: readonly string[];
  readonly #outlast: Outlast;

  constructor(outlast: Outlast, session: SessionView | string, warnings: readonly string[]) {
    this.#outlast = outlast;
    this.started = typeof session === 'string' ? null : session;
    this.id = typeof session === 'string' ? session : session.id;
    this.warnings = warnings;
  }

  async show(signal?: AbortSignal): Promise<CallOutput<'session.show'>> {
    return this.#outlast.show(this.id, signal);
  }

  wait(input: Rest<'session.wait'> = {}, signal?: AbortSignal) {
    return this.#outlast.wait({ ...input, session: this.id }, signal);
  }

  /** Events of this session, from its first one on; ends after `session.ended` unless it is told otherwise. */
  async *events(input: Rest<'session.events'> = {}, signal?: AbortSignal) {
    for await (const event of this.#outlast.events({ follow: true, ...input, session: this.id }, signal)) {
      yield event;
      if (event.event === 'session.ended') return;
    }
  }

  output(input: Rest<'session.output'> = {}, signal?: AbortSignal) {
    return this.#outlast.output({ ...input, session: this.id }, signal);
  }

  follow(input: Rest<'session.follow'> = {}, signal?: AbortSignal) {
    return this.#outlast.follow({ from: 0, ...input, session: this.id }, signal);
  }

  poll(input: Rest<'session.poll'> = {}, signal?: AbortSignal) {
    return this.#outlast.poll({ ...input, session: this.id }, signal);
  }

  ack(cursor: number, reader?: string, signal?: AbortSignal) {
    return this.#outlast.ack({ session: this.id, cursor, reader }, signal);
  }

  screen(signal?: AbortSignal) {
    return this.#outlast.screen(this.id, signal);
  }

  write(input: Rest<'session.write'>, signal?: AbortSignal) {
    return this.#outlast.write({ ...input, session: this.id }, signal);
  }

  keys(keys: string[], signal?: AbortSignal) {
    return this.#outlast.keys(this.id, keys, signal);
  }

  paste(text: string, signal?: AbortSignal) {
    return this.#outlast.paste(this.id, text, signal);
  }

  resize(columns: number, rows: number, signal?: AbortSignal) {
    return this.#outlast.resize({ session: this.id, columns, rows }, signal);
  }

  interrupt(signal?: AbortSignal) {
    return this.#outlast.interrupt(this.id, signal);
  }

  background(signal?: AbortSignal) {
    return this.#outlast.background(this.id, signal);
  }

  stop(input: Rest<'session.stop'> = {}, signal?: AbortSignal) {
    return this.#outlast.stop({ ...input, session: this.id }, signal);
  }

  remove(input: Rest<'session.remove'> = {}, signal?: AbortSignal) {
    return this.#outlast.remove({ ...input, session: this.id }, signal);
  }

  attach(readOnly = false, signal?: AbortSignal) {
    return this.#outlast.attach(this.id, readOnly, signal);
  }
}
