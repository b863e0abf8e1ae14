import type { SessionActions } from '../../agent/seam/actions.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { byHost } from '../../core/actor.ts';
import { inputId } from '../../core/cause.ts';
import type { Event, Input, InputId } from '../../core/event.ts';
import type { Owner } from '../../core/ownership.ts';
import type { Session, SessionId } from '../../core/session.ts';
import { type FollowedJournal, Follower, type Handled, isFirstStart } from '../../journal/follower.ts';
import type { Entry, Journal } from '../../journal/journal.ts';
import type { Submission } from '../../supervisor/session-writer.ts';
import { isFor, noticeItem } from '../notices/item.ts';
import { updateText } from './update-text.ts';

// Follows the journal, as the notices do. What it tells an owner is an input of the owner's with the position as
// its id, which the journal takes once: however often it reads the same, each thing is told once.

/** What the wakes work with. */
export interface ChildUpdateParts {
  readonly journal: FollowedJournal & Pick<Journal, 'event'>;
  readonly clock: Clock;
  readonly state: string;
  readonly actions: SessionActions;
  readonly log: Log;
  /** The session as its events tell it; null when they are gone. */
  readonly describe: (id: SessionId) => Session | null;
  readonly submit: (id: SessionId, cause: InputId, input: Input) => void;
  /** Takes several inputs in one write. */
  readonly takeAll: (id: SessionId, inputs: readonly Submission[]) => void;
  readonly live: () => readonly Session[];
  readonly nudge: (id: SessionId) => void;
  readonly remove: (id: SessionId) => Promise<void>;
}

const READER = 'wakes';

const TOLD: ReadonlySet<string> = new Set([
  ...['session.ended', 'session.held', 'session.limited', 'approval.asked'],
  ...['prompt.answered', 'prompt.failed', 'prompt.unsure'],
]);

/** Tells owners what becomes of the sessions they own, and ends or hands up those whose owner has ended. */
export class ChildUpdates {
  readonly #parts: ChildUpdateParts;
  readonly #follower: Follower;
  /** Those who asked while there was something that nobody had looked at yet. */
  readonly #waiting = new Set<SessionId>();
  #done = Promise.resolve();

  constructor(parts: ChildUpdateParts) {
    this.#parts = parts;
    this.#follower = new Follower(parts.journal, parts.clock, {
      name: READER,
      isNew: isFirstStart(parts.journal, READER),
      handlePage: (page, stopping) => this.#tell(page, stopping),
      caughtUp: async () => this.#nudgeWaiting(),
      onTrouble: (error) =>
        parts.log('owners cannot be told for now', { position: this.#follower.position, why: String(error) }),
    });
  }

  /** Begins to tell. What is told may start loops of sessions, so everything must be there. */
  start(): void {
    this.#done = this.#follower.run();
  }

  async stop(): Promise<void> {
    this.#follower.stop();
    await this.#done;
  }

  /** Will a session be told of anything that it was not told of yet? */
  expects(session: Session): boolean {
    if (this.#parts.journal.head() > this.#follower.position) {
      this.#waiting.add(session.id);
      return true;
    }
    return this.#parts.live().some(({ owner }) => owner?.session === session.id && owner.wake);
  }

  async #tell(page: readonly Entry[], stopping: AbortSignal): Promise<Handled> {
    const pile = new Pile();
    for (const entry of page) {
      if (stopping.aborted) return { upTo: null, save: false };
      await gather(this.#parts, entry, pile);
    }
    const isTold = await hand(this.#parts, pile);
    return { upTo: page.at(-1)?.position ?? null, save: isTold };
  }

  #nudgeWaiting(): number {
    for (const id of this.#waiting) this.#parts.nudge(id);
    this.#waiting.clear();
    return Number.POSITIVE_INFINITY;
  }
}

/** What a page of the journal says to owners. One that has very much to hear delays the others by one write. */
class Pile {
  readonly news = new Map<SessionId, Submission[]>();
  /** To be removed when their owners were told. */
  readonly gone: Session[] = [];

  add(owner: SessionId, news: Submission): void {
    const of = this.news.get(owner);
    if (of === undefined) this.news.set(owner, [news]);
    else of.push(news);
  }
}

async function hand(parts: ChildUpdateParts, { news, gone }: Pile): Promise<boolean> {
  for (const [owner, inputs] of news) parts.takeAll(owner, inputs);
  for (const session of gone) await tidy(parts, session);
  return news.size > 0 || gone.length > 0;
}

async function gather(parts: ChildUpdateParts, entry: Entry, pile: Pile): Promise<void> {
  const { event } = entry;
  if (!TOLD.has(event.body.type)) return;
  const session = parts.describe(event.session);
  if (session === null) return;
  if (event.body.type === 'session.ended') settle(parts, session, entry);
  const { owner } = session;
  if (owner === null) return;
  // It may have waited for this end to end itself.
  if (!isForOwner(event, session, owner)) return parts.nudge(owner.session);
  const above = parts.describe(owner.session);
  const isGone = event.body.type === 'session.ended' && owner.isRemoved;
  if (above !== null && !above.removed) {
    const item = await noticeItem(entry, session, parts);
    const input = {
      type: 'update',
      from: session.id,
      position: entry.position,
      event: event.body.type,
      text: updateText(item, isGone ? (session.turn.last?.reply ?? item.snippet) : null),
      isUrgent: owner.wake && !isOwn(event),
      begunMs: begunMs(parts, session, event),
    } as const;
    pile.add(above.id, { id: inputId('wake', entry.position), input });
  }
  if (isGone && !session.removed) pile.gone.push(session);
}

/** What an owner did itself is no news that it has to wake up for. */
function isOwn({ body }: Event): boolean {
  return body.type === 'session.ended' && body.outcome.kind === 'stopped' && body.outcome.by.is === 'owner';
}

function isForOwner(event: Event, session: Session, owner: Owner): boolean {
  if (!session.background) return false;
  switch (event.body.type) {
    case 'session.ended':
      // Of a command only what is worth a notice; an agent has always something to say.
      return (owner.wake && session.spec.drive !== 'command') || isFor(['ended'], event, session);
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
function begunMs({ journal }: ChildUpdateParts, session: Session, { seq }: Event): number {
  if (session.spec.drive === 'command') return session.created.steadyMs;
  // Backwards: the prompt is near, and the beginning of the conversation may be far.
  for (let before = seq - 1; before > 0; before -= 1) {
    const event = journal.event(session.id, before);
    if (event?.body.type === 'prompt.queued') return event.steadyMs;
  }
  return session.created.steadyMs;
}

/** Those whose owner has ended. */
function settle({ live, submit, describe }: ChildUpdateParts, ended: Session, { position }: Entry): void {
  for (const { id, owner } of live()) {
    if (owner?.session !== ended.id) continue;
    const cause = inputId('owner', position, id);
    if (owner.onEnd === 'stop') submit(id, cause, { type: 'stop', by: byHost('owner-ended'), force: true });
    const next = owner.onEnd === 'up' ? above(describe, ended, owner) : null;
    // With nobody above it stays as deep in its tree as it is, and within the same budget.
    if (next !== null) submit(id, cause, { type: 'hand-up', owner: next });
  }
}

function above(describe: ChildUpdateParts['describe'], { owner: next }: Session, owner: Owner): Owner | null {
  const session = next === null ? null : describe(next.session);
  if (next === null || session === null) return null;
  return { ...owner, session: session.id, depth: (session.owner?.depth ?? 0) + 1 };
}

async function tidy({ remove, log }: ChildUpdateParts, { id }: Session): Promise<void> {
  try {
    await remove(id);
  } catch (error) {
    log('a session that should be removed stays', { session: id, why: String(error) });
  }
}
