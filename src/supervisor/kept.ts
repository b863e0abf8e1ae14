import type { Agent } from '../agent/seam/agent.ts';
import type { AgentRecord, RecordSource, RecordSources } from '../agent/seam/record.ts';
import type { Session } from '../core/session.ts';
import type { TranscriptSnapshot } from '../core/snapshot.ts';

/** The transcript of a session, and how it is read. */
export interface Kept {
  readonly main: RecordSource;
  readonly sources: RecordSources;
  readonly record: AgentRecord<unknown>;
}

/** The transcript that is there; null: none is. */
export function keptIn(sources: RecordSources | null, { record }: Agent): Kept | null {
  const main = sources?.main ?? null;
  if (main === null || sources === null || record === undefined) return null;
  return { main, sources, record };
}

/** Why the next process of this session may not open its conversation now. */
export function delayOf(
  { spec }: Session,
  { server }: Agent,
  kept: Kept | null,
  nowMs: number,
): Pick<TranscriptSnapshot, 'delay'> {
  const delay = spec.drive === 'server' && kept !== null ? server?.delay?.(kept.main, nowMs) : null;
  return delay ? { delay } : {};
}

/** Where a person would look for it. */
export function placeOf(sources: RecordSources | null): Pick<TranscriptSnapshot, 'place'> {
  const place = sources?.place() ?? null;
  return place === null ? {} : { place };
}

/** The files that change when the transcript is written, or that will appear; none: not known. */
export function filesOf(sources: RecordSources | null): readonly string[] {
  const main = sources?.main ?? null;
  // SQLite writes to the log beside the file first.
  if (main?.is === 'database') return [main.path, `${main.path}-wal`];
  const path = main?.is === 'file' ? main.path : (sources?.place() ?? null);
  return path === null ? [] : [path];
}
