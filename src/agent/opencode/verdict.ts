import type { Verdict } from '../../core/snapshot.ts';
import type { RunEnd } from '../seam/drive.ts';

/** What the end of an OpenCode process means. It also exits with 0 after a failed turn: its stream reports that. */
export function opencodeVerdict({ status }: RunEnd): Verdict {
  return status === 0 ? 'finished' : 'crashed';
}
