import { existsSync, readFileSync } from 'node:fs';
import { type Mirror, startMirror } from '../../src/daemon/mirror/mirror.ts';
import { eventually } from '../eventually.ts';
import type { JournalWorld, Told } from './journal-world.ts';

/** A mirror and its log lines. Stopping it twice is allowed. */
export function mirrorOf(world: JournalWorld, outputBytesMax = 1 << 20): Mirror & { readonly lines: string[] } {
  const lines: string[] = [];
  const config = { state: world.state, outputBytesMax };
  const mirror = startMirror({ journal: world.journal, clock: world.clock, config, log: (line) => lines.push(line) });
  return { ...mirror, lines };
}

/** A file of its folder. */
export const read = (told: Told, name: string): string => readFileSync(told.file(name), 'utf8');
/** The lines of its events. */
export const lines = (told: Told): { seq: number; event: string; ts: string }[] =>
  read(told, 'events.jsonl')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
/** Their numbers. */
export const seqs = (told: Told): number[] => lines(told).map(({ seq }) => seq);
/** Its manifest. */
export const keys = (told: Told): Record<string, string> =>
  Object.fromEntries(
    read(told, 'manifest')
      .trimEnd()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
/** Waits until all is written. */
export const written = (told: Told) => eventually(() => existsSync(told.file('done')), { what: 'done' });
