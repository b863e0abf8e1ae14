import type { HandlerInput } from '../../api/contract.ts';
import { OutlastError } from '../../base/errors.ts';
import { inputId } from '../../core/cause.ts';
import type { Schedule, ScheduleBody, ScheduleId } from '../../core/schedule/schedule.ts';
import type { Session, SessionId } from '../../core/session.ts';
import type { FromSchedule } from '../../core/spec.ts';
import type { Journal } from '../../journal/journal.ts';
import type { ScheduleFolders } from './folders.ts';

type StartInput = HandlerInput<'session.start'>;

/** Starts a session for a schedule. */
export type StartFor = (
  request: StartInput,
  by: { readonly owner: Session | null; readonly schedule: FromSchedule },
) => Promise<SessionId>;

interface OutcomeParts {
  readonly journal: Pick<Journal, 'find' | 'taken'>;
  readonly folders: ScheduleFolders;
  readonly start: StartFor;
}

/**
 * Carries out a start whose intent is in the journal, and returns its result. The key is the schedule and the planned
 * time: a second try, also by the next daemon, finds the session of the first.
 */
export async function outcomeOf(parts: OutcomeParts, schedule: Schedule, plannedMs: number): Promise<ScheduleBody> {
  const { journal, start } = parts;
  const { id, spec } = schedule;
  const key = keyOf(id, plannedMs);
  const made = (): SessionId | null => journal.taken(inputId('start', key));
  const before = made();
  if (before !== null) return { type: 'schedule.started', plannedMs, session: before };
  try {
    const owner = ownerOf(journal, schedule);
    if (spec.owner !== null && owner === null)
      throw new OutlastError('spawn_refused', 'the session that made this schedule has ended');
    const from = { id, name: spec.name, plannedMs };
    const session = await start(requestFor(parts, schedule, key), { owner, schedule: from });
    return { type: 'schedule.started', plannedMs, session };
  } catch (error) {
    const session = made();
    if (session !== null) return { type: 'schedule.started', plannedMs, session };
    const code = error instanceof OutlastError ? error.code : 'schedule_failed';
    // Nothing can be written now, so no result can be recorded either.
    if (code === 'journal_failed') throw error;
    return { type: 'schedule.failed', plannedMs, code, text: error instanceof Error ? error.message : String(error) };
  }
}

/** The session that made a schedule; null: it has ended, or a person or program made it. */
export function ownerOf(journal: Pick<Journal, 'find'>, { spec: { owner } }: Schedule): Session | null {
  const row = owner === null ? null : journal.find(owner);
  return row?.live === true ? row.session : null;
}

/** The last session of a schedule has work to do; an idle one that stays open has none. */
export function isBusy(journal: Pick<Journal, 'find'>, { session }: Schedule): boolean {
  const row = session === null ? null : journal.find(session);
  if (row === null || !row.live) return false;
  return row.session.phase.at !== 'idle' || row.session.prompts.length > 0;
}

const NAME_CHARS_MAX = 55;

function requestFor({ folders, journal }: OutcomeParts, { id, spec: { name }, starts }: Schedule, key: string) {
  const { name: _, ...request } = folders.request(id);
  const isFree = name === null || journal.find(name)?.live !== true;
  const own = name === null ? {} : { name: isFree ? name : `${name.slice(0, NAME_CHARS_MAX)}-${starts + 1}` };
  // Trust was given for the files of that time, and is recorded: a folder that has changed since is refused.
  return { ...request, ...own, key, trust: false, background: true };
}

function keyOf(id: ScheduleId, plannedMs: number): string {
  return `schedule ${id} ${plannedMs}`;
}
