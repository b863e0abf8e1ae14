import { OutlastError } from '../../base/errors.ts';
import { nameOf } from '../../core/name.ts';
import { runOf, type Session } from '../../core/session.ts';
import type { OutputFiles } from '../../terminal/output.ts';
import { runFolder } from '../../terminal/run-folder.ts';

type Stream = 'output' | 'stderr';

/** The output file of a session. Only the combined output is capped, so only it has dropped bytes. */
export function filesOf(state: string, session: Session, stream: Stream = 'output'): OutputFiles {
  const files = runFolder(state, { session: session.id, run: Math.max(runOf(session), 1) });
  if (stream === 'stderr' && !session.spec.split) {
    const name = nameOf(session);
    throw new OutlastError('input_invalid', `${name} has no separate stderr: without --split it is part of the output`);
  }
  return stream === 'output' ? files : { output: files.stderr, dropped: `${files.stderr}.dropped` };
}

/** The output files of a session's run, each with its count of dropped bytes. */
export function cappedFiles(state: string, session: Session): OutputFiles[] {
  const ref = { session: session.id, run: Math.max(runOf(session), 1) };
  const { output, dropped, stderr, server } = runFolder(state, ref);
  const both = [{ output, dropped, ...(session.spec.drive === 'server' && { server }) }];
  return session.spec.split ? [...both, { output: stderr, dropped: `${stderr}.dropped` }] : both;
}
