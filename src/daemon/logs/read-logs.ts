import type { HandlerInput } from '../../api/contract.ts';
import type { LogLine } from '../../api/logs-shape.ts';
import type { Clock } from '../../base/clock.ts';
import { OutlastError } from '../../base/errors.ts';
import { LIMITS } from '../../base/limits.ts';
import { letOthers } from '../../base/others.ts';
import { anySignal } from '../../base/signals.ts';
import type { Event } from '../../core/event.ts';
import type { SessionId } from '../../core/session.ts';
import type { Journal, Position } from '../../journal/journal.ts';
import { type AgentTurn, SessionTurns } from '../../supervisor/all-turns.ts';
import type { LiveTexts } from '../../supervisor/live-texts.ts';
import type { Parts } from '../serve/parts.ts';
import { waitForChange } from '../waits/wait-for-change.ts';
import { LogAgents } from './log-agents.ts';
import { LogMerge } from './merge.ts';
import { Pieces } from './pieces.ts';
import { shortenedLine } from './shortened-line.ts';

/** What logs are read with. */
export interface LogParts extends Pick<Parts, 'agents' | 'config'> {
  readonly journal: Pick<Journal, 'read' | 'onAppend'>;
  readonly sessions: Pick<Parts['sessions'], 'find'>;
  readonly clock: Clock;
  readonly liveTexts: Pick<LiveTexts, 'of' | 'watch'>;
}

type Input = Omit<HandlerInput<'session.logs'>, 'session'>;

/** How much of a transcript is read for display. */
const TRANSCRIPT_BYTES_MAX = 256 * 1024 * 1024;
/** A transcript that is nowhere yet cannot be watched, and an agent at work may begin one at any time. */
const UNKNOWN_LOOK_MS = 250;
/** How often an event that waits for the record looks for it. */
const WAITING_LOOK_MS = 100;
/** For each millisecond of reading so many are left to others: the view of a long conversation takes long. */
const PAUSE_SHARE = 4;

/** The logs of one session of an agent: what its journal and its record say, and what it is writing now. */
export class Logs {
  readonly #parts: LogParts;
  readonly #session: SessionId;
  readonly #input: Input;
  readonly #turns: SessionTurns;
  readonly #merge: LogMerge;
  readonly #pieces: Pieces;
  #position = 0 as Position;
  #recorded: readonly AgentTurn[] = [];

  constructor(parts: LogParts, session: SessionId, input: Input) {
    this.#parts = parts;
    this.#session = session;
    this.#input = input;
    this.#turns = new SessionTurns(parts.config.state, parts.agents);
    this.#merge = new LogMerge(new LogAgents(parts.agents, () => this.#row.session.spec.agent));
    this.#pieces = new Pieces(() => parts.liveTexts.of(session));
  }

  /** What happened so far and, if it is followed, what happens until the session has ended. */
  async *read(signal: AbortSignal): AsyncGenerator<LogLine> {
    const { follow, last } = this.#input;
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      // Checked before anything is read: an ended session has no more to tell.
      const isOver = !follow || !this.#row.live;
      const beganMs = this.#parts.clock.steadyMs();
      const lines = await this.#next(isOver);
      yield* this.#wanted(isFirst ? lastOf(lines, last) : lines);
      if (isOver && !this.#merge.isWaiting) return;
      if (lines.length > 0) await this.#pause((this.#parts.clock.steadyMs() - beganMs) * PAUSE_SHARE, signal);
      yield* this.#untilChanged(signal);
    }
  }

  async #next(isOver: boolean): Promise<LogLine[]> {
    const events = await this.#events();
    this.#recorded = await this.#record();
    const nowMs = this.#parts.clock.wallMs();
    const waits = (atMs: number, msMax: number): boolean => !isOver && nowMs - atMs < msMax;
    const lines = this.#merge.take(events, this.#recorded, waits);
    const isLive = this.#row.live;
    return isLive ? [...lines, ...this.#written()] : lines;
  }

  #written(): LogLine[] {
    return this.#pieces.next(this.#merge.recorded.lastTexts(), this.#merge.turn, this.#parts.clock.wallMs());
  }

  *#wanted(lines: readonly LogLine[]): Generator<LogLine> {
    const { from, sinceMs, full } = this.#input;
    for (const line of lines) {
      if (from !== undefined && line.turn < from) continue;
      if (sinceMs !== undefined && (line.atMs ?? 0) < sinceMs) continue;
      yield full ? line : shortenedLine(line);
    }
  }

  /** Waits for more in the journal or the record; meanwhile yields what the agent writes. */
  async *#untilChanged(signal: AbortSignal): AsyncGenerator<LogLine> {
    const over = new AbortController();
    const all = anySignal(signal, over.signal);
    let isChanged = false;
    const changed = this.#change(all).finally(() => {
      isChanged = true;
    });
    try {
      while (!isChanged && !signal.aborted) {
        const piece = Promise.withResolvers<void>();
        const leave = this.#parts.liveTexts.watch(this.#session, piece.resolve);
        try {
          yield* this.#wanted(this.#written());
          await Promise.race([changed, piece.promise]);
        } finally {
          leave();
        }
      }
    } finally {
      over.abort();
      await changed.catch(() => {});
    }
  }

  async #change(signal: AbortSignal): Promise<void> {
    const { session, live } = this.#row;
    const files = this.#turns.files(session);
    const [before, position] = [this.#recorded, this.#row.position];
    const hasMore = async (): Promise<boolean> =>
      this.#row.live !== live || this.#row.position !== position || (await this.#record()) !== before;
    const isHidden = files.length === 0 && session.phase.at !== 'idle';
    const msMax = this.#merge.isWaiting ? WAITING_LOOK_MS : isHidden ? UNKNOWN_LOOK_MS : undefined;
    await waitForChange(this.#parts, { session: session.id, files }, hasMore, signal, msMax);
  }

  async #events(): Promise<Event[]> {
    const events: Event[] = [];
    for (;;) {
      const page = this.#parts.journal.read(this.#position, LIMITS.feedEventsMax, this.#session);
      const last = page.at(-1);
      if (last === undefined) return events;
      events.push(...page.map(({ event }) => event));
      this.#position = last.position;
      await letOthers();
    }
  }

  /** What is recorded; a record that cannot be read now is as it was. */
  async #record(): Promise<readonly AgentTurn[]> {
    try {
      return await this.#turns.read(this.#row.session, TRANSCRIPT_BYTES_MAX);
    } catch (error) {
      if (error instanceof OutlastError && error.code === 'record_unreadable') return this.#recorded;
      throw error;
    }
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    await this.#parts.clock.sleep(ms, signal).catch(() => {});
  }

  get #row() {
    return this.#parts.sessions.find(this.#session);
  }
}

/** The last lines; of a line that came several times, as it is now. */
function lastOf(lines: readonly LogLine[], count: number | undefined): readonly LogLine[] {
  const known = new Map<string, LogLine>();
  for (const line of lines) if (line.is !== 'piece') known.set(line.id, line);
  const whole = [...known.values(), ...lines.filter(({ is }) => is === 'piece')];
  return count === undefined ? whole : whole.slice(Math.max(0, whole.length - count));
}
