import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeWhole } from '../../base/files.ts';
import type { SessionFacts } from './facts.ts';

/** More are not remembered; the oldest go first. */
const REMOVED_MAX = 20_000;

/**
 * The conversations of sessions that were removed, by agent and id, and until when they belonged to them. Kept beside
 * the index, so that a new one leaves them out too.
 */
export function readRemoved(index: string): Map<string, number> {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(fileOf(index), 'utf8')) as Record<string, number>));
  } catch {
    return new Map();
  }
}

/** Adds the conversations of those sessions that were removed. */
export function noteRemoved(index: string, sessions: readonly SessionFacts[]): void {
  const gone = sessions.flatMap(({ removedMs, conversations }) =>
    removedMs === undefined ? [] : conversations.map(({ agent, id }) => ({ key: `${agent} ${id}`, removedMs })),
  );
  const removed = readRemoved(index);
  const more = gone.filter(({ key, removedMs }) => (removed.get(key) ?? 0) < removedMs);
  if (more.length === 0) return;
  for (const { key, removedMs } of more) removed.set(key, removedMs);
  const kept = [...removed].sort(([, a], [, b]) => b - a).slice(0, REMOVED_MAX);
  writeWhole(fileOf(index), JSON.stringify(Object.fromEntries(kept)));
}

function fileOf(index: string): string {
  return join(dirname(index), 'removed.json');
}
