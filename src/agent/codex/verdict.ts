import type { Verdict } from '../../core/snapshot.ts';
import type { RunEnd } from '../seam/drive.ts';

/** What the end of a Codex process means, for one turn or for the server, which exits with 0 when its input ends. */
export function codexVerdict({ status }: RunEnd): Verdict {
  return status === 0 ? 'finished' : 'crashed';
}
