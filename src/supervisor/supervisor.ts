import { assert } from '../base/assert.ts';
import type { Clock } from '../base/clock.ts';
import { errnoOf, OutlastError } from '../base/errors.ts';
import { LIMITS } from '../base/limits.ts';
import type { Log } from '../base/log.ts';
import type { Admission } from '../core/admit.ts';
import { isDeferred } from '../core/deferred.ts';
import type { Input, InputId } from '../core/event.ts';
import { isDormant } from '../core/next-dormant.ts';
import type { Session, SessionId, Spec } from '../core/session.ts';
import type { Journal } from '../journal/journal.ts';
import { Loop, type World } from './loop.ts';
import { type First, SessionWriter, type Submission } from './session-writer.ts';

export interface SupervisorParts {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly world: World & { readonly boot: string };
  readonly log: Log;
  /** Called when a session has ended: its terminal can be freed. */
  readonly over: (session: Session) => void;
  /** Called when a session has another phase or run: the terminals of its dead runs can be freed. */
  readonly moved?: (session: Session) => void;
}

interface Runner {
  readonly writer: SessionWriter;
  readonly loop: Loop;
  wake: () => void;
  /** Why its last step failed, as logged; empty: it did not. */
  trouble: string;
  done: Promise<void>;
}

/** When to retry after a journal or disk error; runs continue meanwhile. */
const TROUBLE_MS = 1_000;

/** Drives every live session, one loop each. The daemon may die: the next one adopts what runs. */
export class Supervisor {
  readonly #parts: SupervisorParts;
  readonly #runners = new Map<SessionId, Runner>();
  readonly #stopping = new AbortController();

  constructor(parts: SupervisorParts) {
    this.#parts = parts;
  }

  /** Boot: adopts what runs, recovers what died. A few at a time, while callers are already served. */
  async start(): Promise<void> {
    const ids = [...this.#parts.journal.live()];
    for (let batch = ids.splice(0, LIMITS.bootLooksMax); batch.length > 0; batch = ids.splice(0, LIMITS.bootLooksMax)) {
      await Promise.all(batch.map((id) => this.#adopt(id)));
    }
  }

  /** A new session: durable when it returns. The same cause again returns the session that it created. */
  create(id: SessionId, { spec, prompt = null }: Pick<First, 'spec' | 'prompt'>, cause: InputId): Session {
    const boot = this.startsAtOnce(spec) ? this.#parts.world.boot : null;
    const writer = SessionWriter.create(this.#parts.journal, this.#parts.clock, { id, spec, prompt, cause, boot });
    const { id: made, phase } = writer.session;
    if (phase.at !== 'ended' && !this.#runners.has(made)) this.#run(writer);
    return writer.session;
  }

  /** Would it be started with its creation? Then after a power cut it counts as started, and is never started again. */
  startsAtOnce(spec: Spec): boolean {
    return spec.drive === 'command' && this.#parts.world.slot();
  }

  /** The only way in, for callers and hooks. Durable when it returns. */
  submit(id: SessionId, cause: InputId, input: Input): Admission {
    const admission = this.#into(id, (writer) => writer.submit(cause, input));
    // Ending may take a while. A caller who wants it faster is not kept waiting.
    if (input.type === 'stop') this.#runners.get(id)?.loop.interrupt();
    return admission;
  }

  /** Submits several inputs in one write. */
  submitAll(id: SessionId, inputs: readonly Submission[]): void {
    this.#into(id, (writer) => writer.submitAll(inputs));
  }

  /** Makes its loop look again now. Cheap, and safe to call too often. */
  nudge(id: SessionId): void {
    this.#runners.get(id)?.wake();
  }

  /** Something was written: sessions that wait for another one look again. */
  wakeFollowers(): void {
    for (const { writer, wake } of this.#runners.values()) if (!writer.session.followed) wake();
  }

  /** An account got a reply: sessions that wait for one look again. */
  wakeParked(): void {
    for (const { writer, wake } of this.#runners.values())
      if (['held', 'limited'].includes(writer.session.phase.at)) wake();
  }

  /** The current session. */
  now(session: Session): Session {
    return this.#runners.get(session.id)?.writer.session ?? session;
  }

  /** The session with this id, if it is being driven. */
  get(id: SessionId): Session | null {
    return this.#runners.get(id)?.writer.session ?? null;
  }

  /** The sessions that are being driven. */
  live(): Session[] {
    return [...this.#runners.values()].map(({ writer }) => writer.session);
  }

  /** May this one open a run? All runs share a limit, and so do the agents that sessions started. */
  hasRoom(runsMax: number, childRunsMax: number, session?: Session): boolean {
    const running = this.live().filter((each) => isRunning(each) && !isDeferred(each));
    if (running.length >= runsMax) return false;
    return session === undefined || !isChild(session) || running.filter(isChild).length < childRunsMax;
  }

  /** Stops supervising. Leaves every terminal running. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const runner of this.#runners.values()) {
      runner.loop.interrupt();
      runner.wake();
    }
    await Promise.all([...this.#runners.values()].map((runner) => runner.done));
  }

  #into<T>(id: SessionId, write: (writer: SessionWriter) => T): T {
    const runner = this.#runners.get(id);
    const writer = runner?.writer ?? this.#open(id);
    const written = write(writer);
    if (runner === undefined && writer.session.phase.at !== 'ended') this.#run(writer);
    this.nudge(id);
    return written;
  }

  #open(id: SessionId): SessionWriter {
    const writer = SessionWriter.open(this.#parts.journal, this.#parts.clock, id);
    if (writer instanceof SessionWriter) return writer;
    throw new OutlastError('journal_failed', `${id} is held: the journal is unreadable at ${writer.unreadableAt}`);
  }

  async #adopt(id: SessionId): Promise<void> {
    if (this.#runners.has(id)) return;
    const writer = SessionWriter.open(this.#parts.journal, this.#parts.clock, id);
    if (writer instanceof SessionWriter) return this.#run(writer).firstLook;
    this.#parts.log('a session is held: its journal cannot be read', { session: id, position: writer.unreadableAt });
  }

  #run(writer: SessionWriter): { firstLook: Promise<void> } {
    const { id } = writer.session;
    assert(!this.#runners.has(id), `${id} has one loop`);
    const first = Promise.withResolvers<void>();
    const loop = new Loop(writer, this.#parts.world, {
      looked: first.resolve,
      stopping: this.#stopping.signal,
    });
    const runner: Runner = { writer, loop, wake: () => {}, trouble: '', done: Promise.resolve() };
    // Before its first step: what that ingests is submitted to this loop, not to a second one.
    this.#runners.set(id, runner);
    runner.done = this.#drive(runner).finally(() => {
      this.#runners.delete(id);
      first.resolve();
      this.#offerSlot();
    });
    return { firstLook: first.promise };
  }

  /** A slot is free: only sessions that may wait for one look again. */
  #offerSlot(): void {
    for (const { writer, wake } of this.#runners.values()) {
      if (['queued', 'recovering', 'idle'].includes(writer.session.phase.at)) wake();
    }
  }

  async #drive(runner: Runner): Promise<void> {
    const { clock, over, moved = () => {} } = this.#parts;
    const { loop } = runner;
    let place = '';
    while (!this.#stopping.signal.aborted) {
      // Armed before the look: a wake-up during the look must not be lost.
      const woken = Promise.withResolvers<void>();
      runner.wake = woken.resolve;
      const wasRunning = isRunning(runner.writer.session);
      const stepped = await this.#step(loop, runner);
      if (stepped.is === 'over') return over(runner.writer.session);
      if (wasRunning && !isRunning(runner.writer.session)) this.#offerSlot();
      const { phase, run } = runner.writer.session;
      if (place !== `${phase.at} ${run?.number}`) moved(runner.writer.session);
      place = `${phase.at} ${run?.number}`;
      if (stepped.is === 'again') continue;
      const forMs = stepped.untilMs === null ? LIMITS.lookAgainMs : stepped.untilMs - clock.steadyMs();
      const rest = new AbortController();
      await Promise.race([clock.sleep(Math.min(forMs, LIMITS.lookAgainMs), rest.signal), woken.promise]);
      rest.abort();
    }
  }

  /** Failures of the world pass, or are looked at again; a bug of ours stops the daemon. */
  async #step(loop: Loop, runner: Runner): ReturnType<Loop['step']> {
    try {
      const stepped = await loop.step();
      runner.trouble = '';
      return stepped;
    } catch (error) {
      if (!(error instanceof OutlastError) && errnoOf(error) === '') throw error;
      const why = String(error);
      // Tried again every second, maybe for days: one line says it.
      if (why !== runner.trouble) {
        this.#parts.log('a session cannot be driven for now', { session: runner.writer.session.id, why });
      }
      runner.trouble = why;
      return { is: 'wait', untilMs: this.#parts.clock.steadyMs() + TROUBLE_MS };
    }
  }
}

/** Between turns there is no run, and none of a process that was idle for too long. */
function isRunning(session: Session): boolean {
  const { phase, run, spec } = session;
  if (phase.at === 'ended' || run === null) return false;
  const isBetween = spec.drive === 'turns' && phase.at === 'idle';
  return !isBetween && !(isDormant(session) && run.outputBytes !== null);
}

function isChild({ owner, spec }: Session): boolean {
  return owner !== null && spec.drive !== 'command';
}
