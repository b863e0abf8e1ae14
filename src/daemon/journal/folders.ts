import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { monotonicMs } from '../../base/clock.ts';
import { isId } from '../../base/ids.ts';
import { byHost } from '../../core/actor.ts';
import { causeOf } from '../../core/cause.ts';
import type { Event, EventBody, InputId } from '../../core/event.ts';
import { apply } from '../../core/fold.ts';
import { runOf, type Session, type SessionId } from '../../core/session.ts';
import { readBody } from '../../core/stored-body.ts';
import type { Found } from '../../journal/rebuild.ts';
import { type Accepted, readAccepted } from '../../supervisor/caller-process.ts';
import { queuedFirst } from '../../supervisor/session-writer.ts';
import { parseIdentity } from '../../terminal/processes.ts';
import { runFolder, sessionFolder } from '../../terminal/run-folder.ts';
import { lastSeqIn } from '../mirror/events.ts';

// What the folder of a session contains when the journal is lost: its events as the mirror wrote them, its start, and
// the runs that were begun.

/** The sessions that have a folder, oldest first. */
export function folderIds(state: string): SessionId[] {
  const folder = join(state, 'sessions');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter(isId).sort() as SessionId[];
}

/** True when the folder shows that the session was accepted: it has events or a claimed run. */
export function isTelling(state: string, id: SessionId): boolean {
  return existsSync(eventsFile(state, id)) || lastRun(state, id) > 0;
}

/** The session's events in its folder, as far as they can be read and are in sequence. */
export function foundIn(state: string, id: SessionId, nowMs: number): Found[] {
  const told = linesOf(eventsFile(state, id), id, nowMs);
  return told.length > 0 ? told : acceptedIn(state, id);
}

/** The number of the last event that the mirror wrote; 0: none. */
export function lastSeq(state: string, id: SessionId): number {
  return lastSeqIn(eventsFile(state, id)) ?? 0;
}

/** The events to add for a run that was begun and is not among the events. */
export function runsAfter(state: string, session: Session): EventBody[] {
  const run = lastRun(state, session.id);
  if (run <= runOf(session) || session.removed) return [];
  const files = runFolder(state, { session: session.id, run });
  const [launcher, command] = [files.launcher, files.command].map((path) => parseIdentity(readQuietly(path)));
  const isOver = session.phase.at === 'ended';
  return [
    ...(isOver ? [{ type: 'session.resumed', by: byHost('rebuilt') } as const] : []),
    { type: 'run.starting', run, how: run === 1 ? 'launch' : 'resume', boot: launcher?.boot ?? '' },
    { type: 'run.opened', run, pid: command?.pid ?? 0 },
  ];
}

function lastRun(state: string, id: SessionId): number {
  const runs = join(sessionFolder(state, id), 'runs');
  const numbers = existsSync(runs) ? readdirSync(runs).map(Number).filter(Number.isSafeInteger) : [];
  return Math.max(0, ...numbers.filter((run) => existsSync(runFolder(state, { session: id, run }).claim)));
}

function eventsFile(state: string, id: SessionId): string {
  return join(sessionFolder(state, id), 'events.jsonl');
}

function linesOf(path: string, id: SessionId, nowMs: number): Found[] {
  const found: Found[] = [];
  let session: Session | null = null;
  for (const line of readQuietly(path).split('\n')) {
    const next = foundOf(line, id, nowMs);
    session = next && applied(session, next.event);
    // Nothing after an unreadable line is trusted.
    if (next === null || session === null) break;
    found.push(next);
  }
  return found;
}

function applied(session: Session | null, event: Event): Session | null {
  try {
    return apply(session, event);
  } catch {
    return null;
  }
}

function foundOf(line: string, session: SessionId, nowMs: number): Found | null {
  try {
    const { position, seq, ts, event, body, cause, steadyMs } = JSON.parse(line) as Record<string, unknown>;
    const atMs = Date.parse(String(ts));
    if (Number.isNaN(atMs) || typeof event !== 'string' || typeof body !== 'object') return null;
    const told = readBody({ type: event, ...body });
    return {
      position: typeof position === 'number' ? position : null,
      event: {
        session,
        seq: Number(seq),
        atMs,
        // A mirror of an earlier version has neither field.
        steadyMs: typeof steadyMs === 'number' ? steadyMs : Math.max(0, Math.round(monotonicMs() - (nowMs - atMs))),
        cause: typeof cause === 'string' ? causeOf(cause as InputId) : null,
        body: told,
      },
    };
  } catch {
    return null;
  }
}

/** The start of a session, from before the mirror wrote its first line. */
function acceptedIn(state: string, session: SessionId): Found[] {
  const accepted = readAccepted(state, session);
  if (accepted === null) return [];
  return firstEvents(accepted).map((body, i) => ({
    position: null,
    event: {
      session,
      seq: i + 1,
      atMs: accepted.atMs,
      steadyMs: accepted.steadyMs,
      cause: causeOf(accepted.cause),
      body,
    },
  }));
}

function firstEvents({ spec, prompt }: Accepted): EventBody[] {
  return [{ type: 'session.created', spec }, ...(prompt ? [queuedFirst(prompt)] : [])];
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
