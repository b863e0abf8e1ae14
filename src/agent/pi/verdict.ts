import type { Verdict } from '../../core/snapshot.ts';
import type { RunEnd } from '../seam/drive.ts';

/** What the end of a pi process means. It exits with 0 also after a failed turn: its stream reports that. */
export function piVerdict({ status }: RunEnd): Verdict {
  return status === 0 ? 'finished' : 'crashed';
}
