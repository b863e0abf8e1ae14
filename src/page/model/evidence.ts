import type { Placed } from './groups.ts';
import { type Happening, runOf } from './happening.ts';

/** What is known about an event besides its body. */
export interface Evidence {
  /** What showed that something is wrong. */
  readonly signs: readonly string[];
  /** Calls that had not ended. */
  readonly atWork: readonly Happening[];
  /** What was done about it, and what came of that; null: nothing was wrong with the run or its turn. */
  readonly remedy: readonly Happening[] | null;
}

/** The events that break a run or a turn. */
const BREAKS: ReadonlySet<string> = new Set([
  ...['run.faulted', 'prompt.troubled', 'session.limited', 'session.held', 'prompt.unsure', 'session.restored'],
]);
/** The events that do something about it. */
const HELPS: ReadonlySet<string> = new Set([
  ...['run.starting', 'prompt.sending', 'prompt.delayed', 'prompt.dropped', 'remedy.begun', 'remedy.ended'],
  ...['session.held', 'session.released', 'session.limited', 'session.unlimited', 'session.resumed'],
  ...['session.switching', 'session.switched', 'session.unswitched', 'session.closing'],
]);
/** The events after which it is over. */
const SETTLES: ReadonlySet<string> = new Set([
  'prompt.answered',
  'prompt.failed',
  'prompt.interrupted',
  'session.ended',
]);
const REMEDY_EVENTS_MAX = 8;
const AT_WORK_MAX = 5;

/** What is known about an event. */
export function evidenceOf(happening: Happening, all: readonly Placed[]): Evidence {
  const at = all.findIndex((each) => each.happening.event.seq === happening.event.seq);
  const isBreak = BREAKS.has(happening.event.event);
  return {
    signs: signsOf(happening),
    atWork: happening.event.event === 'run.faulted' ? atWorkAt(happening, all.slice(0, Math.max(at, 0))) : [],
    remedy: isBreak && at >= 0 ? remedyAfter(all.slice(at + 1)) : null,
  };
}

function signsOf({ event: { body } }: Happening): string[] {
  const fault = body.fault as { signs?: unknown } | undefined;
  const signs = Array.isArray(fault?.signs) ? fault.signs : [];
  return [...signs, body.evidence].filter((sign): sign is string => typeof sign === 'string' && sign !== '');
}

function atWorkAt({ event, atMs }: Happening, before: readonly Placed[]): Happening[] {
  const run = runOf(event);
  return before
    .map(({ happening }) => happening)
    .filter((each) => each.event.event === 'tool.called' && runOf(each.event) === run)
    .filter(({ endMs }) => endMs === null || endMs > atMs)
    .slice(-AT_WORK_MAX);
}

function remedyAfter(rest: readonly Placed[]): Happening[] {
  const found: Happening[] = [];
  for (const { happening } of rest) {
    const { event } = happening.event;
    if (HELPS.has(event) || SETTLES.has(event)) found.push(happening);
    if (SETTLES.has(event) || found.length >= REMEDY_EVENTS_MAX) return found;
  }
  return found;
}
