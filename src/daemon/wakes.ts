import type { Clock } from '../base/clock.ts';
import { LIMITS } from '../base/limits.ts';
import type { Log } from '../base/log.ts';
import type { Event, Input, InputId } from '../core/event.ts';
import type { Session, SessionId } from '../core/session.ts';
import type { Owner } from '../core/wake.ts';
import type { Entry, Journal, Position } from '../journal/journal.ts';
import { isFor, noticeItem } from './notice-item.ts';
import { OWNER } from './owners.ts';
import { newsText } from './wake-text.ts';

// A reader of the journal, as the notices are. What it tells an owner is an input of the owner's with the position as
// its id, which the journal takes once: however often it reads the same, each thing is told once.

/** What the wakes work with. */
export interface WakeParts {
  readonly journal: Pick<Journal, 'read' | 'head' | 'cursor' | 'saveCursor' | 'onAppend' | 'fact' | 'saveFact'>;
  readonly clock: Clock;
  readonly state: string;
  readonly log: Log;
  /** The session as its events tell it; null when they are gone. */
  readonly describe: (id: SessionId) => Session | null;
  readonly events: (id: SessionId) => readonly Event[];
  readonly take: (id: SessionId, cause: InputId, input: Input) => void;
  readonly live: () => readonly Session[];
  readonly nudge: (id: SessionId) => void;
  readonly remove: (id: SessionId) => Promise<void>;
}

/** The wakes while the daemon lives. */
export interface Wakes {
  /** Begins to tell. What is told may start loops of sessions, so all must be there. */
  start(): void;
  stop(): Promise<void>;
  /** Will a session be told of anything that it was not told of yet? */
  expects(session: Session): boolean;
}

const READER = 'wakes';
const TROUBLE_MS = 1_000;

const TOLD: ReadonlySet<string> = new Set([
  ...['session.ended', 'session.held', 'session.limited', 'approval.asked'],
  ...['prompt.answered', 'prompt.failed', 'prompt.unsure'],
]);

/** Tells owners what becomes of the sessions they own, and ends or hands up those whose owner has ended. */
export function startWakes(parts: WakeParts): Wakes {
  const { journal, clock, log } = parts;
  const stopping = new AbortController();
  const waiting = new Set<SessionId>();
  let position = begin(journal);
  let news = Promise.withResolvers<void>();
  const deaf = journal.onAppend(() => news.resolve());
  const save = (): void => journal.saveCursor(READER, position);
  const pass = async (): Promise<void> => {
    news = Promise.withResolvers();
    const from = position;
    let isTold = false;
    for (let page = journal.read(position, LIMITS.feedEventsMax); page.length > 0; ) {
      for (const entry of page) {
        if (stopping.signal.aborted) return;
        isTold = (await tell(parts, entry)) || isTold;
        position = entry.position;
      }
      page = journal.read(position, LIMITS.feedEventsMax);
    }
    position = Math.max(position, from) as Position;
    if (isTold || position - from >= LIMITS.feedEventsMax) save();
    for (const id of waiting) parts.nudge(id);
    waiting.clear();
    await news.promise;
  };
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await pass();
      } catch (error) {
        // The journal or the disk fails. That is for others to mend; what was not told is told later.
        log('owners cannot be told for now', { position, why: String(error) });
        await clock.sleep(TROUBLE_MS, stopping.signal);
      }
    }
  };
  let done = Promise.resolve();
  return {
    start() {
      done = loop();
    },
    async stop() {
      deaf();
      stopping.abort();
      news.resolve();
      await done;
      save();
    },
    expects(session) {
      if (journal.head() > position) {
        waiting.add(session.id);
        return true;
      }
      return parts
        .live()
        .some(({ owner, phase }) => owner?.session === session.id && owner.wake && phase.at !== 'ended');
    },
  };
}

/** From now on, when this is the first time; else from where the last daemon was. */
function begin(journal: WakeParts['journal']): Position {
  if (journal.fact(READER) === null) {
    journal.saveCursor(READER, journal.head());
    journal.saveFact(READER, 'begun');
  }
  return Math.min(journal.cursor(READER), journal.head()) as Position;
}

async function tell(parts: WakeParts, entry: Entry): Promise<boolean> {
  const { event } = entry;
  if (!TOLD.has(event.body.type)) return false;
  const session = parts.describe(event.session);
  if (session === null) return false;
  if (event.body.type === 'session.ended') settle(parts, session, entry);
  const { owner } = session;
  if (owner === null || !isForOwner(event, session, owner)) return false;
  const above = parts.describe(owner.session);
  if (above !== null && !above.removed) {
    const item = await noticeItem(entry, session, parts.state);
    parts.take(above.id, `wake:${entry.position}` as InputId, {
      type: 'wake',
      from: session.id,
      position: entry.position,
      event: event.body.type,
      text: newsText(item, owner.isRemoved ? (session.last?.reply ?? null) : null),
      isUrgent: owner.wake && !isOwn(event),
      begunMs: begunMs(parts, session, event),
    });
  }
  if (event.body.type === 'session.ended' && owner.isRemoved && !session.removed) await tidy(parts, session);
  return true;
}

/** What an owner did itself is no news that it has to wake up for. */
function isOwn({ body }: Event): boolean {
  return body.type === 'session.ended' && body.outcome.kind === 'stopped' && body.outcome.by === OWNER;
}

function isForOwner(event: Event, session: Session, owner: Owner): boolean {
  if (!session.background) return false;
  switch (event.body.type) {
    case 'session.ended':
      return owner.wake || isFor(['ended'], event, session);
    case 'approval.asked':
      return isFor(['approval.asked'], event, session);
    case 'prompt.answered':
    case 'prompt.failed':
      // The end of one that does not stay says the same.
      return session.keepOpen;
    default:
      return true;
  }
}

/** When that began which the event tells of: what led to it decides whether it goes round in circles. */
function begunMs({ events }: WakeParts, session: Session, { seq }: Event): number {
  if (session.spec.drive === 'command') return session.createdSteadyMs;
  const asked = events(session.id).findLast((each) => each.seq < seq && each.body.type === 'prompt.queued');
  return asked?.steadyMs ?? session.createdSteadyMs;
}

/** Those whose owner has ended. */
function settle({ live, take, describe }: WakeParts, ended: Session, { position }: Entry): void {
  for (const { id, owner } of live()) {
    if (owner?.session !== ended.id) continue;
    const cause = `owner:${position}:${id}` as InputId;
    if (owner.onEnd === 'stop') take(id, cause, { type: 'stop', by: 'the end of its owner', force: true });
    if (owner.onEnd === 'up') take(id, cause, { type: 'hand-up', owner: above(describe, ended, owner) });
  }
}

function above(describe: WakeParts['describe'], { owner: next }: Session, owner: Owner): Owner | null {
  const session = next === null ? null : describe(next.session);
  if (next === null || session === null) return null;
  return { ...owner, session: session.id, depth: (session.owner?.depth ?? 0) + 1 };
}

async function tidy({ remove, log }: WakeParts, { id }: Session): Promise<void> {
  try {
    await remove(id);
  } catch (error) {
    log('a session that should be removed stays', { session: id, why: String(error) });
  }
}
