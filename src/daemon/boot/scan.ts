import { realpathSync, type Stats, statSync } from 'node:fs';
import {
  type Conversations,
  type Files,
  type Judged,
  type Listed,
  type Store,
  type Verdict,
  weighed,
} from '../../agent/seam/conversations.ts';
import type { Clock } from '../../base/clock.ts';
import { claimantOf } from '../../supervisor/process-facts.ts';
import { startedAtMs } from '../machine/first.ts';
import type { Ours } from './ours.ts';
import { readStore, type Which } from './stores.ts';
import { judgeFile } from './tail.ts';
import { downAt, isStale, type Times } from './when.ts';
import { withoutOpen } from './without-open.ts';

/** The dependencies of a scan. */
export interface ScanParts {
  readonly clock: Clock;
  readonly files: Files;
  readonly conversations: readonly Conversations[];
  readonly env: Readonly<Record<string, string>>;
  /** Additional folders from the config. */
  readonly folders: readonly string[];
  readonly windowMs: number;
  /** The daemon's last sign of life before the machine started; null: unknown. */
  readonly aliveAtMs: number | null;
  readonly sleptAtMs: number | null;
  readonly ours: Ours;
  /** Is this process the agent of a session of ours, which has only the conversation of that session open? */
  readonly isOurAgent?: (pid: number) => boolean;
  /** The filter for conversations. */
  readonly isWanted: (conversation: string) => boolean;
  /**
   * The caller named the conversations and may take them over whatever the verdict, so open ones are always detected.
   */
  readonly isNamed?: boolean;
}

/** A scanned conversation. */
export interface Seen extends Judged {
  readonly listed: Listed;
  readonly keeper: Conversations;
  /** When it was last written to. */
  readonly atMs: number;
  readonly bytes: number;
}

/** The result of a scan. */
export interface Scan {
  /** All but those that are too old. */
  readonly seen: readonly Seen[];
  readonly counts: Readonly<Partial<Record<Verdict, number>>>;
  readonly tookMs: number;
}

type Found = Pick<Seen, 'listed' | 'keeper' | 'atMs' | 'bytes'> & { readonly uid: number };

interface Rests {
  isDue(): boolean;
  take(): Promise<void>;
}

/** The machine went down at most this long before its start. */
const OFF_MS_MAX = 30 * 24 * 3_600_000;
/** The daemon may be blocked this long at a time. */
const BUSY_MS_MAX = 50;

/** Finds every conversation of this machine and judges it. Changes nothing. */
export async function scan(parts: ScanParts): Promise<Scan> {
  const { clock } = parts;
  const startedMs = clock.steadyMs();
  const rest = restsOf(clock);
  const found = await find(parts, rest);
  const times = timesOf(parts, found);
  const seen: Seen[] = [];
  const counts: Partial<Record<Verdict, number>> = {};
  for (const one of found) {
    const judged = await judge(one, times, parts);
    counts[judged.is] = (counts[judged.is] ?? 0) + 1;
    if (judged.is !== 'stale') seen.push({ ...one, ...judged });
    if (rest.isDue()) await rest.take();
  }
  const sure = withoutOpen(seen, counts, parts).toSorted((a, b) => b.atMs - a.atMs);
  return { seen: sure, counts, tookMs: clock.steadyMs() - startedMs };
}

/** Judges one conversation again, in its current state. */
export async function judgeAgain({ listed, keeper }: Seen, parts: ScanParts): Promise<Seen | null> {
  const stored =
    listed.stored === undefined ? null : await foundIn(listed.stored.store, { id: listed.id }, keeper, parts);
  const one = stored === null ? withStat(listed, keeper) : (stored[0] ?? null);
  if (one === null) return null;
  const judged = await judge(one, timesOf(parts, [one]), { ...parts, windowMs: Number.POSITIVE_INFINITY });
  return withoutOpen([{ ...one, ...judged }], {}, parts)[0] ?? null;
}

/** Yields to the event loop after it was busy for too long. */
function restsOf(clock: Clock): Rests {
  let restedMs = clock.steadyMs();
  return {
    isDue: () => clock.steadyMs() - restedMs >= BUSY_MS_MAX,
    async take() {
      await clock.sleep(0);
      restedMs = clock.steadyMs();
    },
  };
}

/** Finds each conversation once: a folder can have two names, and a copy of a conversation is not another one. */
async function find(parts: ScanParts, rest: Rests): Promise<Found[]> {
  const newest = new Map<string, Found>();
  const add = (one: Found): void => {
    const key = `${one.keeper.agent} ${one.listed.id}`;
    const before = newest.get(key);
    if (before === undefined || before.atMs < one.atMs) newest.set(key, one);
  };
  for (const [listed, keeper] of listAll(parts)) {
    if (rest.isDue()) await rest.take();
    const one = withStat(listed, keeper);
    if (one !== null) add(one);
  }
  for (const one of await findStored(parts)) add(one);
  return [...newest.values()];
}

/** The conversations in databases, including databases that cannot be read. */
async function findStored(parts: ScanParts): Promise<Found[]> {
  const { conversations, files, env, folders, clock, windowMs, isWanted } = parts;
  // Interruptions by the last shutdown are counted from then, but that time is not known yet.
  const sinceMs = Math.max(0, Math.min(startedAtMs(clock.wallMs()), clock.wallMs() - windowMs) - OFF_MS_MAX);
  const stores = conversations.flatMap((keeper) =>
    keeper
      .homes(files, env, folders)
      .flatMap((home) => keeper.stored?.stores(files, home) ?? [])
      .map((store) => foundIn(store, { sinceMs }, keeper, parts)),
  );
  const found = (await Promise.all(stores)).flat();
  return found.filter(({ listed }) => listed.isStore || isWanted(listed.id));
}

async function foundIn(store: Store, which: Which, keeper: Conversations, parts: ScanParts): Promise<Found[]> {
  const { stored } = keeper;
  const stat = statSync(store.path, { throwIfNoEntry: false });
  if (stored === undefined || stat === undefined) return [];
  const { files, clock } = parts;
  const read = await readStore(store, which, clock);
  const { uid } = stat;
  if (read.is !== 'rows') {
    const { path, home, owner } = store;
    const broken = { id: `store-of-${owner}`, path, home, key: null, owner, claim: null, judgement: read };
    return [{ listed: { ...broken, isStore: true }, keeper, atMs: clock.wallMs(), bytes: stat.size, uid }];
  }
  const gateway = stored.keeper(files, store.home);
  // Open files of processes are known by their real paths.
  const real = { ...store, path: realpathSync(store.path) };
  return read.rows.map((row) => {
    return { listed: stored.listed(real, row, gateway), keeper, atMs: row.atMs, bytes: row.bytes, uid };
  });
}

function listAll({ conversations, files, env, folders, isWanted }: ScanParts): [Listed, Conversations][] {
  return conversations.flatMap((keeper) =>
    keeper
      .homes(files, env, folders)
      .flatMap((home) => keeper.list(files, home))
      .flatMap((listed): [Listed, Conversations][] => (isWanted(listed.id) ? [[listed, keeper]] : [])),
  );
}

function withStat(listed: Listed, keeper: Conversations): Found | null {
  const stat: Stats | undefined = statSync(listed.path, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile()) return null;
  return { listed, keeper, atMs: Math.floor(stat.mtimeMs), bytes: stat.size, uid: stat.uid };
}

function timesOf({ clock, aliveAtMs, sleptAtMs }: ScanParts, found: readonly Found[]): Times {
  const nowMs = clock.wallMs();
  const bootAtMs = startedAtMs(nowMs);
  const active = found.map(({ atMs }) => atMs);
  return { nowMs, bootAtMs, downAtMs: downAt(aliveAtMs, active, bootAtMs), sleptAtMs };
}

/** Judges a conversation. Checks that need no reading come first. */
async function judge({ listed, keeper, atMs, bytes, uid }: Found, times: Times, parts: ScanParts): Promise<Judged> {
  const { claim } = listed;
  const holder = claim === null ? null : claimantOf(claim);
  const stale = holder === null ? claim : null;
  const isOld = (ms: number): boolean => isStale(ms, stale, times, parts.windowMs);
  if (isOld(atMs)) return STALE;
  if (uid !== (process.getuid?.() ?? uid)) return { is: 'foreign-owner', why: `it belongs to user ${uid}`, skipped: 0 };
  if (listed.judgement !== null) return { ...listed.judgement, skipped: 0 };
  const ours = parts.ours(listed.id, atMs);
  if (ours !== null) return { is: 'handled', why: ours, skipped: 0 };
  if (keeper.stored !== undefined && listed.stored !== undefined) {
    const keeping = holder === null || claim === null ? null : { pid: holder, sinceMs: claim.atMs };
    const judged = judgeText(listed.stored.row.end ?? '', keeper);
    return keeper.stored.settled?.(judged, { atMs, nowMs: times.nowMs, keeper: keeping }) ?? judged;
  }
  if (holder !== null) return { is: 'alive', why: `process ${holder} has it open`, skipped: 0 };
  const { saidAtMs = null, ...judged } = await judgeFile(listed.path, bytes, keeper);
  // A copy, or a touched file, is as old as its contents.
  return saidAtMs !== null && isOld(Math.min(saidAtMs, atMs)) ? STALE : weighed(judged, stale);
}

/** Judges the end of a conversation from a database, which consists of complete records. */
function judgeText(text: string, keeper: Conversations): Judged {
  return (
    keeper.judge({ text, isWhole: true }) ?? { is: 'unknown', why: 'its last records contain no message', skipped: 0 }
  );
}

const STALE = { is: 'stale', why: 'it was not active at the interruption', skipped: 0 } as const;
