import { existsSync, readFileSync } from 'node:fs';
import { type Mirror, startMirror } from '../../src/daemon/mirror/mirror.ts';
import { eventually } from '../eventually.ts';
import type { JournalSession, JournalWorld } from './journal-world.ts';

/** A mirror and its log lines. Stopping it twice is allowed. */
export function mirrorOf(world: JournalWorld, outputBytesMax = 1 << 20): Mirror & { readonly lines: string[] } {
  const lines: string[] = [];
  const config = { state: world.state, outputBytesMax };
  const mirror = startMirror({ journal: world.journal, clock: world.clock, config, log: (line) => lines.push(line) });
  return { ...mirror, lines };
}

/** A file of its folder. */
export const read = (session: JournalSession, name: string): string => readFileSync(session.file(name), 'utf8');
/** The lines of its events. */
export const lines = (session: JournalSession): { seq: number; event: string; ts: string }[] =>
  read(session, 'events.jsonl')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
/** Their numbers. */
export const seqs = (session: JournalSession): number[] => lines(session).map(({ seq }) => seq);
/** Its manifest. */
export const keys = (session: JournalSession): Record<string, string> =>
  Object.fromEntries(
    read(session, 'manifest')
      .trimEnd()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
/** Waits until all is written. */
export const written = (session: JournalSession) =>
  eventually(() => existsSync(session.file('done')), { what: 'done' });
