import type { Clock } from '../../base/clock.ts';
import type { Row } from '../../journal/journal.ts';
import { type OutputFiles, outputSize } from '../../terminal/output.ts';
import { textSearch } from './text-search.ts';
import type { Wanted } from './words.ts';

/** A result of a wait that comes from the output. */
export interface OutputMet {
  readonly met: 'idle-output' | 'text';
  readonly match?: string;
  readonly cursor: number;
}

/** The result of one check of the output. */
export interface OutputSeen {
  readonly met: OutputMet | null;
  /** When to check again although nothing was printed. */
  readonly againMs: number;
  /** How far the output was read. */
  readonly seenBytes: number;
}

/** Checks the output of one run. */
export type OutputLook = (row: Row) => Promise<OutputSeen>;

/** The check for something in the output; null when it is not about the output. */
export function outputLook(clock: Clock, wanted: Wanted, files: OutputFiles, since: number): OutputLook | null {
  if (wanted.kind === 'idle-output') return silenceLook(clock, wanted.ms, files);
  return wanted.kind === 'text' ? textLook(wanted.source, files, since) : null;
}

function silenceLook(clock: Clock, ms: number, files: OutputFiles): OutputLook {
  let bytes = -1;
  let sinceMs = clock.steadyMs();
  return async ({ live, session }) => {
    const size = await outputSize(files);
    // A session that has not started is not silent yet.
    const isUp = !['queued', 'opening'].includes(session.phase.at);
    if (size !== bytes || !isUp) sinceMs = clock.steadyMs();
    bytes = size;
    const silentMs = clock.steadyMs() - sinceMs;
    const met: OutputMet | null = live && silentMs >= ms ? { met: 'idle-output', cursor: size } : null;
    return { met, againMs: ms - silentMs, seenBytes: size };
  };
}

function textLook(source: string, files: OutputFiles, since: number): OutputLook {
  const search = textSearch(source, files, since);
  return async ({ live }) => {
    const { found, seenBytes } = await search(!live);
    return { met: found && { met: 'text', ...found }, againMs: Number.POSITIVE_INFINITY, seenBytes };
  };
}
