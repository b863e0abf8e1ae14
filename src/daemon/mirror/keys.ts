import type { SessionView } from '../../api/shapes.ts';
import { earlierKeys } from '../../compat/manifest-keys.ts';
import type { Session } from '../../core/session.ts';
import { oneLine } from '../views/one-line.ts';

type Value = string | number | boolean | null | undefined;
type Keys = Readonly<Record<string, Value>>;

/** The facts in a manifest. */
export interface ManifestFacts {
  readonly session: Session;
  readonly view: SessionView;
  readonly folder: string;
  /** When it was last resumed after a fault, by the wall clock. */
  readonly resumedAtMs: number | null;
}

/**
 * The file `manifest`: one `key=value` per line; the value is everything after the first `=`. Unknown keys are left
 * out.
 */
export function manifestText(facts: ManifestFacts): string {
  const keys = { ...ownKeys(facts.view), ...earlierKeys(facts) };
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
