import type { SessionView } from '../api/shapes.ts';
import { nameOf } from '../core/name.ts';
import type { Outcome, Session } from '../core/session.ts';

/** What the keys are made from. */
export interface EarlierFacts {
  readonly session: Session;
  readonly view: SessionView;
  readonly folder: string;
  /** When it was last resumed after a fault, by wall time. */
  readonly resumedAtMs: number | null;
}

/**
 * The keys that scripts of the earlier system look for in a manifest; docs/guides/session-folder.md also lists
 * those that are gone.
 */
export function earlierKeys({
  session,
  view,
  folder,
  resumedAtMs,
}: EarlierFacts): Readonly<Record<string, string | number | null>> {
  const { phase, spec } = session;
  const abandoned = phase.at === 'ended' && phase.outcome.kind === 'abandoned' ? phase.outcome : null;
  const finished = view.endedAtMs === null ? null : secondsText(view.endedAtMs);
  return {
    task_name: nameOf(session),
    session_name: nameOf(session),
    project_dir: view.workspace,
    tmpdir: folder,
    started_at: secondsText(view.createdAtMs),
    status: statusOf(session, view),
    retry_count: spec.drive === 'command' ? null : session.recovery.resumes,
    last_checked_at: resumedAtMs === null ? null : secondsText(resumedAtMs),
    // A hold that ends with `outlast resume` has nothing to do with what the screen shows.
    pane_state: phase.at === 'held' && phase.why.needsResume !== true ? 'waiting_for_input' : null,
    finished_at: abandoned === null ? finished : null,
    abandoned_at: abandoned === null ? null : finished,
    abandon_reason: abandoned && reasonOf(abandoned),
  };
}

function statusOf({ phase }: Session, { outcome, exit }: SessionView): string {
  if (phase.at === 'recovering') return phase.fault.kind === 'stalled' ? 'hung' : 'crashed';
  if (outcome === null) return 'running';
  if (outcome.kind !== 'done') return outcome.kind;
  return (exit?.status ?? 0) === 0 ? 'completed' : 'failed';
}

/** The old word where there was one: a limit on resumes is the only one named beside the fault. */
function reasonOf({ fault, why }: Extract<Outcome, { kind: 'abandoned' }>): string {
  return why === undefined || fault.kind === 'deadline' ? fault.kind : 'max_retries_exceeded';
}

function secondsText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
