import { closeSync, openSync, readSync } from 'node:fs';
import type { Agent } from '../agent/seam/agent.ts';
import { inputId } from '../core/cause.ts';
import type { ConversationId, Session } from '../core/session.ts';
import { runName } from '../terminal/run-folder.ts';
import type { RunRef } from '../terminal/terminal.ts';
import { unlessUnreadable, writesOf } from './process-facts.ts';
import type { WorldState } from './world-state.ts';

/** The first line of a record is shorter. */
const LINE_BYTES_MAX = 256 * 1024;

/** Ingests which conversation a process with a screen has open, if its files are all that tells. */
export function ingestConversation(
  { submit, now }: Pick<WorldState, 'submit' | 'now'>,
  session: Session,
  ref: RunRef,
  { live }: Agent,
): void {
  const { run, spec } = session;
  if (live?.follows === undefined || spec.drive !== 'live' || run === null) return;
  if (run.pid === null || run.outputBytes !== null) return;
  const id = live.follows.conversation(writesOf(run.pid), firstLine);
  // A copy has its origin open until it is made.
  const origins = [spec.conversation?.forkOf, session.recovery.remediation.origin];
  if (id === null || origins.includes(id as ConversationId)) return;
  if (run.reported && session.conversation.id === id) return;
  const source = run.how === 'resume' ? 'resume' : 'startup';
  const opened = { type: 'hook.opened', run: ref.run, conversation: id as ConversationId, transcript: null } as const;
  submit(now(session), inputId('stream', `${runName(ref)} ${id}`, 'opened'), { ...opened, source });
}

function firstLine(path: string): string {
  return unlessUnreadable(() => {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(LINE_BYTES_MAX);
      const text = bytes.toString('utf8', 0, readSync(file, bytes));
      return text.slice(0, Math.max(text.indexOf('\n'), 0));
    } finally {
      closeSync(file);
    }
  }, '');
}
