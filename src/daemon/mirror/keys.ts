import type { SessionView } from '../../api/shapes.ts';
import type { Outcome, Session } from '../../core/session.ts';
import { oneLine } from '../views/one-line.ts';

type Value = string | number | boolean | null | undefined;
type Keys = Readonly<Record<string, Value>>;

/** What a manifest is made from. */
export interface ManifestFacts {
  readonly session: Session;
  readonly view: SessionView;
  readonly folder: string;
  /** When it was last taken up again after it broke, by the wall clock. */
  readonly resumedAtMs: number | null;
}

/** The file `manifest`: one `key=value` a line, the value is all after the first `=`. What is not known is left out. */
export function manifestText(facts: ManifestFacts): string {
  const keys = { ...ownKeys(facts.view), ...oldKeys(facts) };
  return Object.entries(keys)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([key, value]) => `${key}=${oneLine(String(value))}\n`)
    .join('');
}

function ownKeys(view: SessionView): Keys {
  const open = view.prompts ?? [];
  return {
    id: view.id,
    name: view.name,
    agent: view.agent,
    drive: view.drive,
    model: view.model,
    terminal: view.terminal,
    workspace: view.workspace,
    command: view.argv.join(' '),
    created: new Date(view.createdAtMs).toISOString(),
    phase: view.phase,
    held: view.held,
    control: view.control?.by,
    prompts: open.length,
    run: view.run,
    pid: view.pid,
    conversation: view.conversation,
    transcript: view.transcript,
    outcome: view.outcome?.kind,
    by: view.outcome?.by,
    why: view.outcome?.why,
    exit_code: view.outcome === null ? null : view.exit?.status,
    ended: view.endedAtMs === null ? null : new Date(view.endedAtMs).toISOString(),
    incomplete: view.incomplete || null,
  };
}

/** The names that scripts of an earlier system look for; docs/guides/migrate.md has also those that are gone. */
function oldKeys({ session, view, folder, resumedAtMs }: ManifestFacts): Keys {
  const { phase, spec } = session;
  const abandoned = phase.at === 'ended' && phase.outcome.kind === 'abandoned' ? phase.outcome : null;
  const finished = view.endedAtMs === null ? null : secondsText(view.endedAtMs);
  return {
    task_name: view.name ?? view.id,
    session_name: view.name ?? view.id,
    project_dir: view.workspace,
    tmpdir: folder,
    started_at: secondsText(view.createdAtMs),
    status: statusOf(session, view),
    retry_count: spec.drive === 'command' ? null : session.resumes,
    last_checked_at: resumedAtMs === null ? null : secondsText(resumedAtMs),
    // A hold that ends with somebody's word has nothing to do with what the screen shows.
    pane_state: phase.at === 'held' && phase.why.word !== true ? 'waiting_for_input' : null,
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

/** The old word where there was one: a bound on resumes is the only one that is named beside the fault. */
function reasonOf({ fault, why }: Extract<Outcome, { kind: 'abandoned' }>): string {
  return why === undefined || fault.kind === 'deadline' ? fault.kind : 'max_retries_exceeded';
}

function secondsText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
