import type { SessionView } from '../api/shapes.ts';
import { oneLine } from './one-line.ts';

type Value = string | number | boolean | null | undefined;
type Keys = Readonly<Record<string, Value>>;

/** The file `manifest`: one `key=value` a line, the value is all after the first `=`. What is not known is left out. */
export function manifestText(view: SessionView, folder: string): string {
  const keys = { ...ownKeys(view), ...oldKeys(view, folder) };
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

/** The names that scripts of an earlier system look for. */
function oldKeys(view: SessionView, folder: string): Keys {
  const isAbandoned = view.outcome?.kind === 'abandoned';
  const finished = view.endedAtMs === null ? null : secondsText(view.endedAtMs);
  return {
    task_name: view.name ?? view.id,
    session_name: view.name ?? view.id,
    project_dir: view.workspace,
    tmpdir: folder,
    started_at: secondsText(view.createdAtMs),
    status: statusOf(view),
    finished_at: isAbandoned ? null : finished,
    abandoned_at: isAbandoned ? finished : null,
    abandon_reason: isAbandoned ? view.outcome?.why : null,
  };
}

function statusOf({ phase, outcome, exit }: SessionView): string {
  if (outcome === null) return phase === 'recovering' ? 'crashed' : 'running';
  if (outcome.kind !== 'done') return outcome.kind;
  return (exit?.status ?? 0) === 0 ? 'completed' : 'failed';
}

function secondsText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
