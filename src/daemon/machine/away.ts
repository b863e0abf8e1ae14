import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../base/log.ts';
import { isSameBoot } from '../../core/boot.ts';
import type { Journal, Position } from '../../journal/journal.ts';

/** One time in which this host, and everything on it, was away. */
export interface Away {
  /** boot: the machine, or the container, was started anew. wake: it slept. */
  readonly kind: 'boot' | 'wake';
  /** Somebody said before that it would happen, or the machine was shut down in order. */
  readonly planned: boolean;
  /** The last sign of life before, on the wall; null: there is none. */
  readonly fromMs: number | null;
  /** When it was noticed, on the wall. */
  readonly toMs: number;
  /** The name of the boot it was noticed in. */
  readonly boot: string;
}

type Facts = Pick<Journal, 'fact' | 'saveFact'>;

interface Kept extends Away {
  /** Not everything that follows from it is done. */
  readonly pending: boolean;
}

const FACT = 'away';
/** The boot of the last daemon, by its name. */
const NAME = 'bootName';
/** What an earlier version kept: the start of the first process alone. */
const FIRST = 'first';

/** What a daemon knows of its machine when it starts. */
export interface Beginning {
  readonly state: string;
  /** Its name: see src/core/boot.ts. */
  readonly boot: string;
  readonly wallMs: number;
  readonly planned: boolean;
}

/** The file with the last time that the sleep detector wrote down. */
export function beatFile(state: string): string {
  return join(state, 'beat');
}

/**
 * Was the machine, or the container we are in, started anew since the daemon before us? Asked before the new boot is
 * written down. What was not settled by then is told again, with the time it first had: the daemon before us may have
 * died over it.
 */
export function awayAtStart(journal: Facts & Pick<Journal, 'read' | 'head'>, now: Beginning): Away | null {
  const away = noticed(journal, now);
  // Afterwards: a daemon that dies before is told again. A name that lacks something does not replace a whole one.
  const isLess = now.boot.split('/').includes('') && isSameBoot(journal.fact(NAME) ?? '', now.boot);
  if (journal.fact(NAME) !== now.boot && !isLess) journal.saveFact(NAME, now.boot);
  return away;
}

function noticed(journal: Facts & Pick<Journal, 'read' | 'head'>, now: Beginning): Away | null {
  const kept = keptAway(journal);
  if (kept?.pending && kept.boot === now.boot) return bare(kept);
  const before = bootBefore(journal);
  // The first daemon of all knows of nothing that was interrupted.
  if (before === null) return null;
  if (isSameBoot(before, now.boot)) return kept?.pending ? bare(kept) : null;
  const { boot, planned, wallMs } = now;
  return keepAway(journal, { kind: 'boot', planned, fromMs: lastSignMs(journal, now.state), toMs: wallMs, boot });
}

function bootBefore(journal: Facts): string | null {
  const kernel = journal.fact('boot');
  return journal.fact(NAME) ?? (kernel === null ? null : `${kernel}//${journal.fact(FIRST) ?? ''}`);
}

/** Writes it down, so that it is told again until it is settled. */
export function keepAway(journal: Facts, away: Away): Away {
  journal.saveFact(FACT, JSON.stringify({ ...away, pending: true }));
  return away;
}

/** Everything that follows from it is done. */
export function settleAway(journal: Facts, away: Away, log: Log): void {
  const kept = keptAway(journal);
  if (!kept?.pending || kept.toMs !== away.toMs) return;
  try {
    journal.saveFact(FACT, JSON.stringify({ ...away, pending: false }));
  } catch (error) {
    // The next daemon is told again; what was done already is not done twice.
    log('a time away could not be settled', { why: String(error) });
  }
}

/** The last one that was noticed. */
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
