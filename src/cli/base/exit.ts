import type { SessionView } from '../../api/shapes.ts';
import { CODES, OutlastError } from '../../client/index.ts';

/** Exit statuses that do not come from an error. */
export const EXIT = {
  fine: 0,
  failed: 1,
  wrongCall: 2,
  stopped: 4,
  nobody: 5,
  tooSlow: 6,
  held: 7,
  endedBadly: 8,
  timeout: 124,
  ours: 125,
  bug: 70,
} as const;

const TERMINATED = 143;

/** The exit status of `exec`: the command's own, or one that says why there is none. */
export function execStatus(session: SessionView): number {
  const { outcome, exit } = session;
  if (outcome?.kind === 'done') return exit?.status ?? EXIT.ours;
  if (outcome?.kind === 'stopped') {
    if (outcome.bound !== undefined) return EXIT.timeout;
    // A command may exit with 0 when it is asked to end. Its caller still did not get what it wanted.
    return exit !== null && exit.status !== 0 ? exit.status : TERMINATED;
  }
  return exit !== null && exit.status !== 0 ? exit.status : EXIT.ours;
}

/** The status for an error that reached the top. */
export function errorStatus(error: unknown): number {
  return error instanceof OutlastError ? CODES[error.code].exit : EXIT.bug;
}
