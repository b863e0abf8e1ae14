import type { Verdict } from '../../core/sight.ts';
import type { RunEnd } from '../seam/agent.ts';

/** What Claude Code says when a person leaves it: /exit, Ctrl-C twice, Ctrl-D, /logout. */
const BY_A_PERSON: readonly string[] = ['prompt_input_exit', 'logout'];

/**
 * What the end of a run of Claude Code means. It also leaves with 0 when its terminal dies or when it gets SIGINT, so
 * the status alone is no evidence of a person.
 */
export function claudeVerdict({ status, drive, terminalGone, personSeen, lastWord }: RunEnd): Verdict {
  if (status !== 0) return 'crashed';
  if (drive !== 'live') return 'finished';
  if (lastWord !== null && BY_A_PERSON.includes(lastWord)) return 'left';
  if (terminalGone) return 'crashed';
  return personSeen ? 'left' : 'unknown';
}
