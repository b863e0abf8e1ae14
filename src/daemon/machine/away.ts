import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../base/log.ts';
import { isSameBoot } from '../../core/boot.ts';
import type { Journal, Position } from '../../journal/journal.ts';

/** One period in which this host was off or asleep. */
export interface Away {
  /** boot: the machine, or the container, was restarted. wake: it slept. */
  readonly kind: 'boot' | 'wake';
  /** It was announced, or the machine was shut down cleanly. */
  readonly planned: boolean;
  /** The last sign of life before it, in wall time; null: there is none. */
  readonly fromMs: number | null;
  /** When it was detected, in wall time. */
  readonly toMs: number;
  /** The name of the boot in which it was detected. */
  readonly boot: string;
}

type Facts = Pick<Journal, 'fact' | 'saveFact'>;

interface Kept extends Away {
  /** Its consequences are not all handled yet. */
  readonly pending: boolean;
}

const FACT = 'away';
/** The key of the last daemon's boot name. */
const NAME = 'bootName';
/** The key of an earlier version: the start of the first process alone. */
const FIRST = 'first';

/** What a daemon knows about its machine when it starts. */
export interface Beginning {
  readonly state: string;
  /** Its name: see src/core/boot.ts. */
  readonly boot: string;
  readonly wallMs: number;
  readonly planned: boolean;
}

/** The file with the last time that the sleep detector saved. */
export function beatFile(state: string): string {
  return join(state, 'beat');
}

/**
 * Whether the machine, or the container, was restarted since the last daemon. Called before the new boot is saved. A
 * period that was not settled by then is returned again, with its original time: the last daemon may have died while
 * handling it.
 */
export function awayAtStart(journal: Facts & Pick<Journal, 'read' | 'head'>, now: Beginning): Away | null {
  const away = noticed(journal, now);
  // Saved afterwards: a daemon that dies before gets it again. An incomplete name does not replace a complete one.
  const isLess = now.boot.split('/').includes('') && isSameBoot(journal.fact(NAME) ?? '', now.boot);
  if (journal.fact(NAME) !== now.boot && !isLess) journal.saveFact(NAME, now.boot);
  return away;
}

function noticed(journal: Facts & Pick<Journal, 'read' | 'head'>, now: Beginning): Away | null {
  const kept = keptAway(journal);
  if (kept?.pending && kept.boot === now.boot) return bare(kept);
  const before = bootBefore(journal);
  // The very first daemon has nothing that was interrupted.
  if (before === null) return null;
  if (isSameBoot(before, now.boot)) return kept?.pending ? bare(kept) : null;
  const { boot, planned, wallMs } = now;
  return keepAway(journal, { kind: 'boot', planned, fromMs: lastSignMs(journal, now.state), toMs: wallMs, boot });
}

function bootBefore(journal: Facts): string | null {
  const kernel = journal.fact('boot');
  return journal.fact(NAME) ?? (kernel === null ? null : `${kernel}//${journal.fact(FIRST) ?? ''}`);
}

/** Saves it, so that it is returned again until it is settled. */
export function keepAway(journal: Facts, away: Away): Away {
  journal.saveFact(FACT, JSON.stringify({ ...away, pending: true }));
  return away;
}

/** Marks it as settled: its consequences are handled. */
export function settleAway(journal: Facts, away: Away, log: Log): void {
  const kept = keptAway(journal);
  if (!kept?.pending || kept.toMs !== away.toMs) return;
  try {
    journal.saveFact(FACT, JSON.stringify({ ...away, pending: false }));
  } catch (error) {
    // The next daemon gets it again; what was done already is not done twice.
    log('a time away could not be settled', { why: String(error) });
  }
}

/** The last one that was detected. */
export function lastAway(journal: Pick<Journal, 'fact'>): Away | null {
  const kept = keptAway(journal);
  return kept && bare(kept);
}

function keptAway(journal: Pick<Journal, 'fact'>): Kept | null {
  const text = journal.fact(FACT);
  return text === null ? null : (JSON.parse(text) as Kept);
}

function bare({ pending: _, ...away }: Kept): Away {
  return away;
}

function lastSignMs(journal: Pick<Journal, 'read' | 'head'>, state: string): number | null {
  const [last] = journal.read(Math.max(0, journal.head() - 1) as Position, 1);
  const signs = [last?.event.atMs ?? 0, beatMs(state)];
  return Math.max(...signs) || null;
}

function beatMs(state: string): number {
  try {
    return Number.parseInt(readFileSync(beatFile(state), 'latin1'), 10) || 0;
  } catch {
    return 0;
  }
}
