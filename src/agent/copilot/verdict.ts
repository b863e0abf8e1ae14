import type { Verdict } from '../../core/snapshot.ts';
import type { RunEnd } from '../seam/drive.ts';

/** What the end of a Copilot process means. It exits with 1 after a failed turn: its stream reports that. */
export function copilotVerdict({ status }: RunEnd): Verdict {
  return status === 0 ? 'finished' : 'crashed';
}
