import type { Shell } from '../../core/session.ts';
import { type ProcessTable, systemTable } from '../../terminal/process-table.ts';
import type { OwnedStart } from './spawn-start.ts';

// The shell comes with the environment of the caller, not as an input of its own: a daemon of an earlier version
// refuses inputs that it does not know, and nobody would be able to start a session until it is restarted.

/** The pid of a shell and a random number, as the prompt hook sets it. */
const SHELL_ID = /^(\d{1,10})-\d{1,12}$/;

/** The shell that is told about a session; none if an agent started it, or if the shell is gone. */
export function startedFrom(
  { env, ownerId }: Pick<OwnedStart, 'env' | 'ownerId'>,
  table: Pick<ProcessTable, 'row'> = systemTable(),
): { readonly shell?: Shell } {
  const id = env.OUTLAST_SHELL_ID ?? '';
  const pid = SHELL_ID.exec(id)?.[1];
  // An agent would write lines to the terminal of a person.
  if (pid === undefined || ownerId !== undefined) return {};
  const row = table.row(Number(pid));
  return row === null || row.zombie ? {} : { shell: { id, start: row.start } };
}
