import type { Verdict } from '../../core/snapshot.ts';
import type { RunEnd } from '../seam/drive.ts';

/** What the end of a Codex process means, for one turn or for the server, which exits with 0 when its input ends. */
export function codexVerdict({ status }: RunEnd): Verdict {
  return status === 0 ? 'finished' : 'crashed';
}

/** What the end of Codex with its own screen means. It exits with 0 for a person who leaves, and maybe otherwise. */
export function codexScreenVerdict({ status, terminalGone, personSeen }: RunEnd): Verdict {
  if (status !== 0 || terminalGone) return 'crashed';
  return personSeen ? 'left' : 'unknown';
}
