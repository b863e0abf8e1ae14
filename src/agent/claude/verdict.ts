import type { Verdict } from '../../core/snapshot.ts';
import type { RunEnd } from '../seam/drive.ts';

/** The reasons that Claude Code gives when a person leaves it: /exit, Ctrl-C twice, Ctrl-D, /logout. */
const BY_A_PERSON: readonly string[] = ['prompt_input_exit', 'logout'];

/** What the end of a process of the turns drive means. */
export function turnsVerdict({ status }: RunEnd): Verdict {
  return status === 0 ? 'finished' : 'crashed';
}

/**
 * What the end of a live Claude Code means. It also exits with 0 when its terminal dies or when it gets SIGINT, so the
 * status alone does not prove that a person left.
 */
export function liveVerdict({ status, terminalGone, personSeen, lastWord }: RunEnd): Verdict {
  if (status !== 0) return 'crashed';
  if (lastWord !== null && BY_A_PERSON.includes(lastWord)) return 'left';
  if (terminalGone) return 'crashed';
  return personSeen ? 'left' : 'unknown';
}
