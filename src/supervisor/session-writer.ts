import { assert } from '../base/assert.ts';
import type { Clock } from '../base/clock.ts';
import { type Admission, admit } from '../core/admit.ts';
import type { EventBody, Input, InputId } from '../core/event.ts';
import { apply, fold } from '../core/fold.ts';
import { type Image, withImages } from '../core/image.ts';
import type { PromptId, Session, SessionId, Spec } from '../core/session.ts';
import type { Journal, Write } from '../journal/journal.ts';
import { eventsOf } from '../journal/project.ts';

/** The prompt that a session starts with. */
export interface FirstPrompt {
  readonly id: PromptId;
  readonly text: string;
  readonly images?: readonly Image[];
}

/** How a session starts. */
export interface First {
  readonly id: SessionId;
  readonly spec: Spec;
  readonly prompt?: FirstPrompt | null;
  readonly cause: InputId;
  /** The boot in which its first run is opened at once; without it, its loop opens one later. */
  readonly boot?: string | null;
}

/** An input and its id. */
export interface Submission {
  readonly id: InputId;
  readonly input: Input;
}

/** The event of the prompt that a session starts with. */
export function queuedFirst({ id, text, images }: FirstPrompt): EventBody {
  return { type: 'prompt.queued', prompt: id, text, ...withImages(images) };
}

/** One session's place in the journal: its current state, and the only way to change it. */
export class SessionWriter {
  readonly #journal: Journal;
  readonly #clock: Clock;
  #session: Session;

  private constructor(journal: Journal, clock: Clock, session: Session) {
    this.#journal = journal;
    this.#clock = clock;
    this.#session = session;
  }

  /** Opens the writer of a session in the journal, or says where it cannot be read. */
  static open(journal: Journal, clock: Clock, id: SessionId): SessionWriter | { unreadableAt: number } {
    const { events, unreadableAt } = journal.session(id);
    if (unreadableAt !== null) return { unreadableAt };
    const session = fold(events);
    assert(session !== null, `session ${id} is in the journal`);
    return new SessionWriter(journal, clock, session);
  }

  /**
   * Writes the first event and, if there is a boot to open it in, the intent to open the first run: one sync instead of
   * two. The same input again returns the session that it created.
   */
  static create(journal: Journal, clock: Clock, first: First): SessionWriter {
    const { prompt, boot } = first;
    // One write: a session without its first prompt would be done before it started.
    const events: EventBody[] = [
      { type: 'session.created', spec: first.spec },
      ...(prompt ? [queuedFirst(prompt)] : []),
      ...(boot ? [{ type: 'run.starting', run: 1, how: 'launch', boot } as const] : []),
    ];
    const times = { atMs: clock.wallMs(), steadyMs: clock.steadyMs() };
    journal.append({ session: first.id, afterSeq: 0, events, cause: first.cause, ...times });
    const made = SessionWriter.open(journal, clock, journal.taken(first.cause) ?? first.id);
    assert(made instanceof SessionWriter, 'a session that was just written can be read');
    return made;
  }

  get session(): Session {
    return this.#session;
  }

  /** Submits an input: durable when it returns. A known id changes nothing. */
  submit(id: InputId, input: Input): Admission {
    const admission = admit(this.#session, input);
    if (admission.ok) this.append(admission.events, id);
    return admission;
  }

  /** Submits several inputs in one write. Known ones change nothing. */
  submitAll(inputs: readonly Submission[]): void {
    const fresh = inputs.filter(({ id }, i) => this.#journal.taken(id) === null && isFirst(inputs, i));
    const times = { atMs: this.#clock.wallMs(), steadyMs: this.#clock.steadyMs() };
    let session = this.#session;
    const writes: Write[] = [];
    for (const { id, input } of fresh) {
      const admission = admit(session, input);
      if (!admission.ok) continue;
      const write = { session: session.id, afterSeq: session.seq, events: admission.events, cause: id, ...times };
      session = eventsOf(write).reduce<Session>(apply, session);
      writes.push(write);
    }
    const [first, ...more] = writes;
    if (first !== undefined) this.#append(first, ...more);
  }

  append(events: readonly EventBody[], cause: InputId | null): void {
    const { id, seq } = this.#session;
    const times = { atMs: this.#clock.wallMs(), steadyMs: this.#clock.steadyMs() };
    this.#append({ session: id, afterSeq: seq, events, cause, ...times });
  }

  #append(...writes: readonly [Write, ...Write[]]): void {
    const { id } = this.#session;
    const result = this.#journal.append(...writes);
    assert(result !== 'stale', `${id} is written by this daemon alone`);
    if (result !== 'seen' && writes.some(({ events }) => events.length > 0)) {
      const row = this.#journal.find(id) ?? null;
      this.#session = row?.session ?? this.#refold();
    }
  }

  #refold(): Session {
    const session = fold(this.#journal.session(this.#session.id).events);
    assert(session !== null, `session ${this.#session.id} is in the journal`);
    return session;
  }
}

/** Is this the first input with its id? A second one is ignored. */
function isFirst(inputs: readonly Submission[], i: number): boolean {
  return inputs.findIndex(({ id }) => id === inputs[i]?.id) === i;
}
