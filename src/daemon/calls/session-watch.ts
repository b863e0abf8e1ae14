import { statSync } from 'node:fs';
import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { LIMITS } from '../../base/limits.ts';
import { letOthers } from '../../base/others.ts';
import type { Session, SessionId } from '../../core/session.ts';
import type { Parts } from '../serve/parts.ts';
import { listed } from '../views/listed.ts';
import { filesOf } from '../views/output-files.ts';
import { sessionRowOf } from '../views/session-row.ts';

type Line = CallOutput<'session.watch'>;
type WatchParts = Pick<Parts, 'journal' | 'config' | 'clock' | 'sessions'>;

/** Events that belong together come as one row. */
const COALESCE_MS = 50;
/** Output and transcripts are not in the journal: their files are compared once a second, by their size and time. */
const LOOK_MS = 1_000;
/** A command that waits for input writes nothing: it is looked at again after it was quiet for this long. */
const QUIET_LOOK_MS = 3_000;
const LIVE_MAX = 10_000;
/** Rows that are made before other calls get a turn. */
const ROWS_AT_ONCE = 50;

/** The live sessions and the newest ended ones, then each row that changes or is gone. */
export async function* sessionWatch(
  parts: WatchParts,
  { ended }: HandlerInput<'session.watch'>,
  signal: AbortSignal,
): AsyncGenerator<Line> {
  const rows = new WatchedRows(parts);
  // Before the list is read: a change in between must not be missed.
  const leave = parts.journal.onAppend((session) => rows.touch(session));
  try {
    for (const query of [{ state: 'live', limit: LIVE_MAX } as const, { state: 'ended', limit: ended } as const])
      for (const { session } of listed({ ...parts, isBelow: () => false }, query)) rows.touch(session.id);
    yield* rows.changes(signal);
    yield { is: 'complete' };
    while (!signal.aborted) {
      await rows.untilTouched(signal);
      yield* rows.changes(signal);
    }
  } finally {
    leave();
  }
}

/** What was sent of one session, and what would show that it has changed since. */
interface Sent {
  readonly json: string;
  /** The file that the session writes to while it lives; null: there is none. */
  readonly file: string | null;
  readonly mark: string;
  /** When a command is looked at again although it prints nothing, in steady time. */
  readonly lookAtMs: number;
}

class WatchedRows {
  readonly #parts: WatchParts;
  readonly #sent = new Map<SessionId, Sent>();
  readonly #touched = new Set<SessionId>();
  #wake = Promise.withResolvers<void>();

  constructor(parts: WatchParts) {
    this.#parts = parts;
  }

  touch(session: SessionId): void {
    this.#touched.add(session);
    this.#wake.resolve();
  }

  /** Waits until a session may have changed, or until it is time to compare files. */
  async untilTouched(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    this.#wake = Promise.withResolvers();
    const rest = new AbortController();
    const end = AbortSignal.any([signal, rest.signal]);
    if (this.#touched.size === 0) await Promise.race([this.#wake.promise, clock.sleep(LOOK_MS, end)]);
    rest.abort();
    if (this.#touched.size > 0) await clock.sleep(COALESCE_MS, signal);
    this.#compareFiles();
  }

  /** The rows of the sessions that were touched, as far as they differ from what was sent. */
  async *changes(signal: AbortSignal): AsyncGenerator<Line> {
    let made = 0;
    for (const id of this.#touched) {
      if (signal.aborted) return;
      this.#touched.delete(id);
      const line = await this.#change(id);
      if (line !== null) yield line;
      made += 1;
      if (made % ROWS_AT_ONCE === 0) await letOthers();
    }
  }

  async #change(id: SessionId): Promise<Line | null> {
    const { journal, clock, config } = this.#parts;
    const found = journal.find(id);
    const before = this.#sent.get(id);
    if (found === null) return this.#sent.delete(id) ? { is: 'gone', id } : null;
    const file = found.live ? fileOf(config.state, found.session) : null;
    // Before the row is made: what is written in between is found by the next look.
    const mark = markOf(file);
    const row = await sessionRowOf(this.#parts, found);
    const json = JSON.stringify(row);
    const isCommand = found.live && found.session.spec.drive === 'command';
    const waitMs = before?.mark === mark ? LIMITS.lookAgainMs : QUIET_LOOK_MS;
    const lookAtMs = isCommand ? clock.steadyMs() + waitMs : Number.POSITIVE_INFINITY;
    this.#sent.set(id, { json, file, mark, lookAtMs });
    return json === before?.json ? null : { is: 'row', row };
  }

  #compareFiles(): void {
    const nowMs = this.#parts.clock.steadyMs();
    for (const [id, { file, mark, lookAtMs }] of this.#sent)
      if (file !== null && (nowMs >= lookAtMs || markOf(file) !== mark)) this.#touched.add(id);
  }
}

/** A command shows its output; of an agent only its transcript, or its stream, is a sign of activity. */
function fileOf(state: string, session: Session): string | null {
  const { drive } = session.spec;
  return drive === 'command' || drive === 'turns' ? filesOf(state, session).output : session.conversation.transcript;
}

function markOf(file: string | null): string {
  const stat = file === null ? undefined : statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.size} ${stat.mtimeMs}`;
}
