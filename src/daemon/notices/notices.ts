import type { Clock } from '../../base/clock.ts';
import { LIMITS } from '../../base/limits.ts';
import type { Log } from '../../base/log.ts';
import type { Session, SessionId } from '../../core/session.ts';
import type { Entry, Journal, Position } from '../../journal/journal.ts';
import type { Config, NoticeConfig } from '../config/schema.ts';
import { isFor, type NoticeItem, noticeItem } from './item.ts';
import { send } from './routes.ts';

// Each notice is a reader of the journal with a position of its own, and nothing else: what happens while it is slow,
// down or not running waits in the journal. Its position moves only past what was delivered or given up, so a thing
// is told at least once. It is told twice when the daemon ends between the delivery and the save.

/** What the notices work with. */
export interface NoticeParts {
  readonly journal: Pick<Journal, 'read' | 'head' | 'cursor' | 'saveCursor' | 'onAppend' | 'fact' | 'saveFact'>;
  readonly clock: Clock;
  readonly config: Pick<Config, 'notices' | 'state'>;
  readonly log: Log;
  /** The session as its events tell it; null when they are gone. */
  readonly describe: (id: SessionId) => Session | null;
}

/** All notices while the daemon lives. */
export interface Notices {
  /** Ends all readers; a delivery on its way gets a moment, and is told again later if that is not enough. */
  stop(): Promise<void>;
  status(): NoticeStatus[];
  /** Has everyone who is to be told of this position been told? */
  delivered(position: number): boolean;
}

/** How one notice is doing. */
export interface NoticeStatus {
  readonly name: string;
  /** Events it has not dealt with yet. */
  readonly behind: number;
  /** Items given up since the daemon started. */
  readonly failed: number;
  /** Why the last try that failed did. */
  readonly lastError: string | null;
}

/** Told at once at most. */
const ITEMS_MAX = 50;
/** What happens together is told together. */
const COALESCE_MS = 100;
const BACKOFF_MS_MIN = 1_000;
const BACKOFF_MS_MAX = 300_000;
const STOP_MS_MAX = 1_000;
/** The names that had a reader when the daemon last started. */
const KNOWN = 'notices';

interface Reader {
  readonly notice: NoticeConfig;
  position: number;
  saved: number;
  failed: number;
  lastError: string | null;
  /** Resolved when something was appended since the last read. */
  news: PromiseWithResolvers<void>;
}

interface World extends NoticeParts {
  /** No new try is made. */
  readonly stopping: AbortSignal;
  /** A try on its way is ended. */
  readonly cut: AbortSignal;
}

/** Starts one reader for each notice in the config. */
export function startNotices(parts: NoticeParts): Notices {
  const { journal, clock } = parts;
  const stopping = new AbortController();
  const cut = new AbortController();
  const world: World = { ...parts, stopping: stopping.signal, cut: cut.signal };
  const readers = openReaders(parts);
  const wake = (): void => {
    for (const reader of readers) reader.news.resolve();
  };
  const deaf = journal.onAppend(wake);
  const loops = Promise.all(readers.map((reader) => follow(reader, world)));
  return {
    async stop() {
      deaf();
      stopping.abort();
      wake();
      const left = new AbortController();
      await Promise.race([loops, clock.sleep(STOP_MS_MAX, left.signal)]);
      left.abort();
      cut.abort();
      await loops;
    },
    status: () =>
      readers.map(({ notice, position, failed, lastError }) => {
        return { name: notice.name, behind: Math.max(0, journal.head() - position), failed, lastError };
      }),
    delivered: (position) => readers.every((reader) => reader.position >= position),
  };
}

function openReaders({ journal, config }: NoticeParts): Reader[] {
  const known = new Set((journal.fact(KNOWN) ?? '').split(' '));
  const head = journal.head();
  const readers = config.notices.map((notice): Reader => {
    const key = cursorOf(notice);
    // A new one begins now, not at the beginning of time. So does one that was taken out of the config and came back.
    if (!known.has(notice.name)) journal.saveCursor(key, head);
    // A journal that was set back to an older copy is shorter than what was read of it.
    const position = Math.min(journal.cursor(key), head);
    return { notice, position, saved: position, failed: 0, lastError: null, news: Promise.withResolvers() };
  });
  const names = config.notices.map((notice) => notice.name).join(' ');
  if (names !== (journal.fact(KNOWN) ?? '')) journal.saveFact(KNOWN, names);
  return readers;
}

async function follow(reader: Reader, world: World): Promise<void> {
  while (!world.stopping.aborted) {
    await guarded(reader, world, () => tell(reader, world));
  }
  if (reader.position > reader.saved) await guarded(reader, world, () => save(reader, world));
}

async function guarded(reader: Reader, world: World, act: () => unknown): Promise<void> {
  try {
    await act();
  } catch (error) {
    // The journal cannot be read or written. That is for others to mend; this reader stays, and looks again.
    reader.lastError = error instanceof Error ? error.message : String(error);
    world.log(`notice ${reader.notice.name}: ${reader.lastError}`);
    await world.clock.sleep(BACKOFF_MS_MIN, world.stopping);
  }
}

async function tell(reader: Reader, world: World): Promise<void> {
  const { stopping, clock } = world;
  reader.news = Promise.withResolvers();
  const items: NoticeItem[] = [];
  let position = await gather(reader, reader.position, items, world);
  if (items.length > 0 && items.length < ITEMS_MAX) {
    await clock.sleep(COALESCE_MS, stopping);
    position = await gather(reader, position, items, world);
  }
  if (stopping.aborted) return;
  if (items.length > 0 && (await deliver(reader, items, world)) === 'stopped') return;
  reader.position = position;
  // Reading again what is of no interest costs little; a durable write for each event of others costs more.
  if (items.length > 0 || position - reader.saved >= LIMITS.feedEventsMax) save(reader, world);
  if (items.length === 0) await reader.news.promise;
}

/** Adds what the notice is for, as far as there is room; gives the position up to which it has looked. */
async function gather(reader: Reader, after: number, items: NoticeItem[], world: World): Promise<number> {
  const { journal, clock, stopping } = world;
  let position = after;
  while (!stopping.aborted) {
    const head = journal.head();
    const entries = journal.read(position as Position, LIMITS.feedEventsMax);
    // Rows that cannot be read are left out, so only nothing means that there is no more.
    if (entries.length === 0) return Math.max(position, head);
    for (const entry of entries) {
      const item = await itemFor(entry, reader.notice, world);
      position = entry.position;
      if (item !== null) items.push(item);
      // Nobody is to be told of what came so far: nothing has to wait for it.
      if (items.length === 0) reader.position = position;
      if (items.length >= ITEMS_MAX) return position;
    }
    // After a long absence there is much to read; the daemon has other things to do in between.
    await clock.sleep(0, stopping);
  }
  return position;
}

async function itemFor(entry: Entry, notice: NoticeConfig, world: World): Promise<NoticeItem | null> {
  const { type } = entry.event.body;
  if (type !== 'session.ended' && !notice.on.includes(type)) return null;
  const session = describe(entry, world);
  if (session === null || !isFor(notice.on, entry.event, session)) return null;
  return noticeItem(entry, session, world.config.state);
}

function describe({ event, position }: Entry, world: World): Session | null {
  try {
    return world.describe(event.session);
  } catch (error) {
    // One session that cannot be read may not hold up what is to be told of the others.
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

function save(reader: Reader, { journal }: World): void {
  journal.saveCursor(cursorOf(reader.notice), reader.position);
  reader.saved = reader.position;
}

function cursorOf(notice: NoticeConfig): string {
  return `notice:${notice.name}`;
}
