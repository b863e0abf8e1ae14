import type { SessionActions } from '../../agent/seam/actions.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Session, SessionId } from '../../core/session.ts';
import { type FollowedJournal, Follower, type Handled } from '../../journal/follower.ts';
import type { Entry, Position } from '../../journal/journal.ts';
import type { Config, NoticeConfig } from '../config/schema.ts';
import { isFor, type NoticeItem, noticeItem } from './item.ts';
import { send } from './routes.ts';

// Each notice reads the journal from its own position: events wait in the journal while it is slow, failing or not
// running. The position moves only past items that were delivered or given up, so each item is delivered at least once.
// It is delivered twice if the daemon ends between the delivery and the save.

/** The dependencies of the notices. */
export interface NoticeParts {
  readonly journal: FollowedJournal;
  readonly clock: Clock;
  readonly config: Pick<Config, 'notices' | 'state'>;
  readonly log: Log;
  /** The session as its events describe it; null when they are gone. */
  readonly describe: (id: SessionId) => Session | null;
  readonly actions: SessionActions;
}

/** All notices of a running daemon. */
export interface Notices {
  /** Ends all readers. A running delivery gets a moment to finish; otherwise it is repeated later. */
  stop(): Promise<void>;
  status(): NoticeStatus[];
  /** True when every notice for this position was delivered. */
  delivered(position: number): boolean;
}

/** The status of one notice. */
export interface NoticeStatus {
  readonly name: string;
  /** Events that it has not handled yet. */
  readonly behind: number;
  /** Items that were given up since the daemon started. */
  readonly failed: number;
  /** The error of the last failed try. */
  readonly lastError: string | null;
}

/** How many items one delivery has at most. */
const ITEMS_MAX = 50;
/** Events within this time are delivered together. */
const COALESCE_MS = 100;
const BACKOFF_MS_MIN = 1_000;
const BACKOFF_MS_MAX = 300_000;
const STOP_MS_MAX = 1_000;
/** The key of the names that had a reader when the daemon last started. */
const KNOWN = 'notices';

interface Reader {
  readonly notice: NoticeConfig;
  readonly follower: Follower;
  failed: number;
  lastError: string | null;
}

interface World extends NoticeParts {
  /** Stops new tries. */
  readonly stopping: AbortSignal;
  /** Aborts a running try. */
  readonly cut: AbortSignal;
}

/** Starts one reader for each notice in the config. */
export function startNotices(parts: NoticeParts): Notices {
  const { journal, clock } = parts;
  const cut = new AbortController();
  const readers = openReaders(parts, cut.signal);
  const loops = Promise.all(readers.map(({ follower }) => follower.run()));
  return {
    async stop() {
      for (const { follower } of readers) follower.stop();
      const timeout = new AbortController();
      await Promise.race([loops, clock.sleep(STOP_MS_MAX, timeout.signal)]);
      timeout.abort();
      cut.abort();
      await loops;
    },
    status: () =>
      readers.map(({ notice, follower, failed, lastError }) => {
        return { name: notice.name, behind: Math.max(0, journal.head() - follower.position), failed, lastError };
      }),
    delivered: (position) => readers.every(({ follower }) => follower.position >= position),
  };
}

function openReaders(parts: NoticeParts, cut: AbortSignal): Reader[] {
  const { journal, config } = parts;
  const known = new Set((journal.fact(KNOWN) ?? '').split(' '));
  // A new notice starts at the current position, not at the first event. So does one that was removed and came back.
  const readers = config.notices.map((notice) => openReader(parts, notice, !known.has(notice.name), cut));
  const names = config.notices.map((notice) => notice.name).join(' ');
  if (names !== (journal.fact(KNOWN) ?? '')) journal.saveFact(KNOWN, names);
  return readers;
}

function openReader(parts: NoticeParts, notice: NoticeConfig, isNew: boolean, cut: AbortSignal): Reader {
  const reader: Reader = {
    notice,
    failed: 0,
    lastError: null,
    follower: new Follower(parts.journal, parts.clock, {
      name: `notice:${notice.name}`,
      isNew,
      coalesceMs: COALESCE_MS,
      handlePage: (page, stopping) => tell(reader, page, { ...parts, stopping, cut }),
      onTrouble(error) {
        reader.lastError = error instanceof Error ? error.message : String(error);
        parts.log(`notice ${notice.name}: ${reader.lastError}`);
      },
    }),
  };
  return reader;
}

/** Delivers the first items of a page that the notice applies to. */
async function tell(reader: Reader, page: readonly Entry[], world: World): Promise<Handled> {
  const items: NoticeItem[] = [];
  let upTo: Position | null = null;
  for (const entry of page) {
    if (world.stopping.aborted) return { upTo: null, save: false };
    const item = await itemFor(entry, reader.notice, world);
    // No notice applies to the events so far, so they need not wait for this delivery.
    if (item !== null && items.length === 0 && upTo !== null) return { upTo, save: false };
    if (item !== null) items.push(item);
    upTo = entry.position;
    if (items.length >= ITEMS_MAX) break;
  }
  if (items.length > 0 && (await deliver(reader, items, world)) === 'stopped') return { upTo: null, save: false };
  return { upTo, save: items.length > 0 };
}

async function itemFor(entry: Entry, notice: NoticeConfig, world: World): Promise<NoticeItem | null> {
  const { type } = entry.event.body;
  if (type !== 'session.ended' && !notice.on.includes(type)) return null;
  const session = describe(entry, world);
  if (session === null || !isFor(notice.on, entry.event, session)) return null;
  return noticeItem(entry, session, { state: world.config.state, actions: world.actions });
}

function describe({ event, position }: Entry, world: World): Session | null {
  try {
    return world.describe(event.session);
  } catch (error) {
    // One unreadable session must not hold up the notices of the others.
    world.log(`notice at ${position}: session ${event.session} cannot be read: ${error}`);
    return null;
  }
}

async function deliver(reader: Reader, items: NoticeItem[], world: World): Promise<'sent' | 'given up' | 'stopped'> {
  const { notice } = reader;
  const delivery = { id: `${notice.name}-${items.at(0)?.position}-${items.at(-1)?.position}`, items };
  for (let tries = 1; !world.stopping.aborted; tries += 1) {
    const sent = await send(notice, delivery, world.clock, world.cut);
    if (sent.ok) return 'sent';
    if (world.cut.aborted) return 'stopped';
    reader.lastError = sent.why;
    world.log(`notice ${notice.name}: try ${tries} of ${notice.triesMax} failed: ${sent.why}`);
    if (tries >= notice.triesMax) {
      reader.failed += items.length;
      world.log(`notice ${notice.name}: gave up ${items.length} at position ${items.at(0)?.position}`);
      return 'given up';
    }
    await world.clock.sleep(Math.min(BACKOFF_MS_MIN * 2 ** (tries - 1), BACKOFF_MS_MAX), world.stopping);
  }
  return 'stopped';
}
