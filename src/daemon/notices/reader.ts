import type { SessionActions } from '../../agent/seam/actions.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Session, SessionId } from '../../core/session.ts';
import { type FollowedJournal, Follower, type Handled } from '../../journal/follower.ts';
import type { Entry, Position } from '../../journal/journal.ts';
import type { Config, NoticeConfig } from '../config/schema.ts';
import { Attended } from './attended.ts';
import { isFor, isOnlyAnnounced, type NoticeItem, noticeItem } from './item.ts';
import { quietUntil } from './quiet.ts';
import type { Reads } from './reads.ts';
import { send } from './routes.ts';
import { SetAside } from './set-aside.ts';

// Each notice reads the journal from its own position: events wait in the journal while it is slow, failing or not
// running. The position moves only past items that were delivered, given up or set aside for the end of the quiet
// hours, so each item is delivered at least once. It is delivered twice if the daemon ends between the delivery and the
// save.

/** The dependencies of the reader of one notice. */
export interface ReaderParts {
  readonly journal: FollowedJournal;
  readonly clock: Clock;
  readonly config: Pick<Config, 'state' | 'quietHours'>;
  readonly log: Log;
  /** The session as its events describe it; null when they are gone. */
  readonly describe: (id: SessionId) => Session | null;
  readonly actions: SessionActions;
  readonly reads: Reads;
  /** Aborts a running try. */
  readonly cut: AbortSignal;
  /** Whether a delivery makes sense now; missing: always. What cannot be told is dropped, and is no failure. */
  readonly canTell?: () => Promise<boolean>;
}

/** How many items one delivery has at most. */
const ITEMS_MAX = 50;
/** What waited in quiet hours is one message. */
const ASIDE_ITEMS_MAX = 500;
/** Events within this time are delivered together. */
const COALESCE_MS = 100;
/** For people, who are not in a hurry for a second message. */
const COALESCE_PERSON_MS = 1_000;
const BACKOFF_MS_MIN = 1_000;
const BACKOFF_MS_MAX = 300_000;
/** While something waits for the end of the quiet hours; a machine that sleeps makes a longer wait too long. */
const QUIET_LOOK_MS = 60_000;

/** The reader of one notice. */
export class NoticeReader {
  readonly notice: NoticeConfig;
  readonly follower: Follower;
  failed = 0;
  /** Items that were delivered since the daemon started. */
  sent = 0;
  lastError: string | null = null;
  /** When it last delivered something, wall time; null: not since the daemon started. */
  deliveredAtMs: number | null = null;
  readonly #parts: ReaderParts;
  readonly #attended = new Attended();
  readonly #aside: SetAside;
  #sentAtMs: number | null = null;

  constructor(parts: ReaderParts, notice: NoticeConfig, isNew: boolean) {
    this.notice = notice;
    this.#parts = parts;
    this.#aside = new SetAside(parts.journal, notice.name, isNew);
    this.follower = new Follower(parts.journal, parts.clock, {
      name: `notice:${notice.name}`,
      isNew,
      coalesceMs: notice.gapMs > 0 ? COALESCE_PERSON_MS : COALESCE_MS,
      handlePage: (page, stopping) => this.#tell(page, stopping),
      caughtUp: () => this.#caughtUp(),
      onTrouble: (error) => {
        this.lastError = error instanceof Error ? error.message : String(error);
        parts.log(`notice ${notice.name}: ${this.lastError}`);
      },
    });
  }

  /** Delivers the first items of a page that the notice applies to. */
  async #tell(page: readonly Entry[], stopping: AbortSignal): Promise<Handled> {
    if (!(await this.#tellAside(stopping))) return { upTo: null, save: false };
    const items: NoticeItem[] = [];
    const aside: Position[] = [];
    let upTo: Position | null = null;
    for (const entry of page) {
      if (stopping.aborted) return { upTo: null, save: false };
      const item = await this.#itemFor(entry);
      const waits = item !== null && this.#mustWait(item);
      // No notice applies to the events so far, so they need not wait for this delivery.
      if (item !== null && !waits && items.length === 0 && upTo !== null) break;
      if (waits) aside.push(entry.position);
      else if (item !== null) items.push(item);
      upTo = entry.position;
      if (items.length >= ITEMS_MAX) break;
    }
    if (items.length > 0) {
      // What has come when the pause is over is read with it.
      if (await this.#paused(stopping)) return { upTo: null, save: false };
      if ((await this.#deliver(items, stopping)) === 'stopped') return { upTo: null, save: false };
    }
    this.#aside.add(aside);
    return { upTo, save: items.length > 0 || aside.length > 0 };
  }

  async #itemFor(entry: Entry): Promise<NoticeItem | null> {
    const { on } = this.notice;
    this.#attended.note(entry.event);
    const { type } = entry.event.body;
    if (type !== 'session.ended' && !on.includes(type) && !on.includes('announced')) return null;
    const session = this.#describe(entry);
    if (session === null || !isFor(on, entry.event, session)) return null;
    const isKnown = this.#attended.has(session) || this.#parts.reads.has(entry);
    if (isKnown && isOnlyAnnounced(on, entry.event, session)) return null;
    return noticeItem(entry, session, { state: this.#parts.config.state, actions: this.#parts.actions });
  }

  #describe({ event, position }: Entry): Session | null {
    try {
      return this.#parts.describe(event.session);
    } catch (error) {
      // One unreadable session must not hold up the notices of the others.
      this.#parts.log(`notice at ${position}: session ${event.session} cannot be read: ${error}`);
      return null;
    }
  }

  /** Waits until another message may follow the last one; false if it may at once. */
  async #paused(stopping: AbortSignal): Promise<boolean> {
    if (this.#sentAtMs === null) return false;
    const leftMs = this.#sentAtMs + this.notice.gapMs - this.#parts.clock.steadyMs();
    if (leftMs <= 0) return false;
    await this.#parts.clock.sleep(leftMs, stopping);
    return true;
  }

  #quietUntil(): number | null {
    return this.notice.quiet ? quietUntil(this.#parts.config.quietHours, this.#parts.clock.wallMs()) : null;
  }

  #mustWait({ event }: NoticeItem): boolean {
    return this.#quietUntil() !== null && !this.#parts.config.quietHours?.except.some((type) => type === event);
  }

  async #caughtUp(): Promise<number> {
    if (this.#aside.range === null) return Number.POSITIVE_INFINITY;
    const until = this.#quietUntil();
    const { clock } = this.#parts;
    if (until !== null) return clock.steadyMs() + Math.min(until - clock.wallMs(), QUIET_LOOK_MS);
    await this.#tellAside(this.follower.stopping);
    return Number.POSITIVE_INFINITY;
  }

  /** After the quiet hours, delivers what was set aside. False if it could not be finished. */
  async #tellAside(stopping: AbortSignal): Promise<boolean> {
    if (this.#aside.range === null || this.#quietUntil() !== null) return true;
    const items: NoticeItem[] = [];
    for (const entry of this.#aside.entries()) {
      const item = await this.#itemFor(entry);
      const except: readonly string[] = this.#parts.config.quietHours?.except ?? [];
      if (item !== null && !except.includes(item.event)) items.push(item);
      if (items.length >= ASIDE_ITEMS_MAX) break;
    }
    if (items.length > 0 && (await this.#deliver(items, stopping)) === 'stopped') return false;
    this.#aside.clear();
    return true;
  }

  async #deliver(items: NoticeItem[], stopping: AbortSignal): Promise<'sent' | 'given up' | 'stopped'> {
    const { notice } = this;
    const { clock, log, cut, canTell } = this.#parts;
    if (canTell !== undefined && !(await canTell())) return 'given up';
    const delivery = { id: `${notice.name}-${items.at(0)?.position}-${items.at(-1)?.position}`, items };
    for (let tries = 1; !stopping.aborted; tries += 1) {
      const sent = await send(notice, delivery, clock, cut);
      this.#sentAtMs = clock.steadyMs();
      if (sent.ok) {
        this.sent += items.length;
        this.deliveredAtMs = clock.wallMs();
        return 'sent';
      }
      if (cut.aborted) return 'stopped';
      this.lastError = sent.why;
      log(`notice ${notice.name}: try ${tries} of ${notice.triesMax} failed: ${sent.why}`);
      if (tries >= notice.triesMax || sent.isFinal) {
        this.failed += items.length;
        log(`notice ${notice.name}: gave up ${items.length} at position ${items.at(0)?.position}`);
        return 'given up';
      }
      const pauseMs = Math.min(BACKOFF_MS_MIN * 2 ** (tries - 1), BACKOFF_MS_MAX);
      await clock.sleep(Math.max(pauseMs, sent.retryMs ?? 0), stopping);
    }
    return 'stopped';
  }
}
