import { OutlastError } from '../../base/errors.ts';
import type { Session } from '../../core/session.ts';
import type { Row } from '../../journal/journal.ts';
import { type ChangeParts, waitForChange } from './wait-for-change.ts';

interface RunningParts extends ChangeParts {
  readonly sessions: { find(word: string): Row };
}

/** How long a write waits for a session that is starting. */
const START_MS_MAX = 10_000;

/** The session, once it has a process to write to. Input that is sent right after the start must not be lost. */
export async function running(parts: RunningParts, word: string, signal: AbortSignal): Promise<Session> {
  const { clock, sessions } = parts;
  const { id } = sessions.find(word).session;
  const deadlineMs = clock.steadyMs() + START_MS_MAX;
  const isUp = (): boolean => !['queued', 'opening'].includes(sessions.find(id).session.phase.at);
  while (!isUp() && !signal.aborted) {
    if (clock.steadyMs() >= deadlineMs) throw new OutlastError('timed_out', `${word} is not running yet`);
    await waitForChange(parts, { session: id, files: [] }, isUp, signal, deadlineMs - clock.steadyMs());
  }
  return sessions.find(id).session;
}
