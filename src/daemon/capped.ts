import { runOf, type Session } from '../core/session.ts';
import type { OutputFiles } from '../terminal/output.ts';
import { runFolder } from '../terminal/run-folder.ts';

/** The output files of a session's run, each with the count of what was dropped from it. */
export function cappedFiles(state: string, session: Session): OutputFiles[] {
  const { output, dropped, stderr } = runFolder(state, { session: session.id, run: Math.max(runOf(session), 1) });
  const both = [{ output, dropped }];
  return session.spec.split ? [...both, { output: stderr, dropped: `${stderr}.dropped` }] : both;
}
