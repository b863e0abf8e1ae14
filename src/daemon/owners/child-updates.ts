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

// Follows the journal, as the notices do. An update to an owner is an input whose id is the position of the event, and
// the journal accepts each id once: however often it reads an event, the owner gets one update.

/** The dependencies of child updates. */
export interface ChildUpdateParts {
  readonly journal: FollowedJournal & Pick<Journal, 'event'>;
  readonly clock: Clock;
  readonly state: string;
  readonly actions: SessionActions;
  readonly log: Log;
  /** The session as its events describe it; null when they are gone. */
  readonly describe: (id: SessionId) => Session | null;
  readonly submit: (id: SessionId, cause: InputId, input: Input) => void;
  /** Submits several inputs in one write. */
  readonly takeAll: (id: SessionId, inputs: readonly Submission[]) => void;
  readonly live: () => readonly Session[];
  readonly nudge: (id: SessionId) => void;
  readonly remove: (id: SessionId) => Promise<void>;
}

const READER = 'wakes';

const REPORTED: ReadonlySet<string> = new Set([
  ...['session.ended', 'session.held', 'session.limited', 'approval.asked'],
  ...['prompt.answered', 'prompt.failed', 'prompt.unsure'],
]);

/** Sends owners updates about their sessions, and ends or hands up sessions whose owner has ended. */
export class ChildUpdates {
  readonly #parts: ChildUpdateParts;
  readonly #follower: Follower;
  /** Sessions that asked while there were unread events. */
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
        parts.log('updates to owners cannot be sent for now', {
          position: this.#follower.position,
          why: String(error),
        }),
    });
  }

  /** Starts to follow. An update may start loops of sessions, so all other parts must exist. */
  start(): void {
    this.#done = this.#follower.run();
  }

  async stop(): Promise<void> {
    this.#follower.stop();
    await this.#done;
  }

  /** True when a session will get an update that it has not got yet. */
  expects(session: Session): boolean {
    if (this.#parts.journal.head() > this.#follower.position) {
      this.#waiting.add(session.id);
      return true;
    }
    return this.#parts.live().some(({ owner }) => owner?.session === session.id && owner.wake);
  }

  async #tell(page: readonly Entry[], stopping: AbortSignal): Promise<Handled> {
    const batch = new Batch();
    for (const entry of page) {
      if (stopping.aborted) return { upTo: null, save: false };
      await gather(this.#parts, entry, batch);
    }
    const isSent = await hand(this.#parts, batch);
    return { upTo: page.at(-1)?.position ?? null, save: isSent };
  }

  #nudgeWaiting(): number {
    for (const id of this.#waiting) this.#parts.nudge(id);
    this.#waiting.clear();
    return Number.POSITIVE_INFINITY;
  }
}

/** The updates of one page of the journal. An owner with very many delays the others by one write. */
class Batch {
  readonly updates = new Map<SessionId, Submission[]>();
  /** Sessions to remove after their owners got the update. */
  readonly gone: Session[] = [];

  add(owner: SessionId, updates: Submission): void {
    const of = this.updates.get(owner);
    if (of === undefined) this.updates.set(owner, [updates]);
    else of.push(updates);
  }
}

async function hand(parts: ChildUpdateParts, { updates, gone }: Batch): Promise<boolean> {
  for (const [owner, inputs] of updates) parts.takeAll(owner, inputs);
  for (const session of gone) await tidy(parts, session);
  return updates.size > 0 || gone.length > 0;
}

async function gather(parts: ChildUpdateParts, entry: Entry, batch: Batch): Promise<void> {
  const { event } = entry;
  if (!REPORTED.has(event.body.type)) return;
  const session = parts.describe(event.session);
  if (session === null) return;
  if (event.body.type === 'session.ended') settle(parts, session, entry);
  const { owner } = session;
  if (owner === null) return;
  // The owner may have waited for this end before its own.
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
    batch.add(above.id, { id: inputId('wake', entry.position), input });
  }
  if (isGone && !session.removed) batch.gone.push(session);
}

/** True for what the owner did itself: it need not be woken for that. */
function isOwn({ body }: Event): boolean {
  return body.type === 'session.ended' && body.outcome.kind === 'stopped' && body.outcome.by.is === 'owner';
}

function isForOwner(event: Event, session: Session, owner: Owner): boolean {
  if (!session.background) return false;
  switch (event.body.type) {
    case 'session.ended':
      // For a command only what deserves a notice; an agent always has a reply.
      return (owner.wake && session.spec.drive !== 'command') || isFor(['ended'], event, session);
    case 'approval.asked':
      return isFor(['approval.asked'], event, session);
    case 'prompt.answered':
    case 'prompt.failed':
      // The end of a session that does not stay open has the same content.
      return session.keepOpen;
    default:
      return true;
  }
}

/** When the cause of the event began: it is used to detect loops of updates. */
function begunMs({ journal }: ChildUpdateParts, session: Session, { seq }: Event): number {
  if (session.spec.drive === 'command') return session.created.steadyMs;
  // Backwards: the prompt is near, and the beginning of the conversation may be far.
  for (let before = seq - 1; before > 0; before -= 1) {
    const event = journal.event(session.id, before);
    if (event?.body.type === 'prompt.queued') return event.steadyMs;
  }
  return session.created.steadyMs;
}

/** Handles the sessions whose owner has ended. */
function settle({ live, submit, describe }: ChildUpdateParts, ended: Session, { position }: Entry): void {
  for (const { id, owner } of live()) {
    if (owner?.session !== ended.id) continue;
    const cause = inputId('owner', position, id);
    if (owner.onEnd === 'stop') submit(id, cause, { type: 'stop', by: byHost('owner-ended'), force: true });
    const next = owner.onEnd === 'up' ? above(describe, ended, owner) : null;
    // Without an owner above, it keeps its depth in the tree and the same budget.
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
    log('a session could not be removed', { session: id, why: String(error) });
  }
}
