import type { Verdict } from '../../core/snapshot.ts';
import type { RunEnd } from '../seam/drive.ts';

/** What the end of a process of Codex means: of one turn, and of its server, which ends with 0 when its input does. */
export function codexVerdict({ status }: RunEnd): Verdict {
  return status === 0 ? 'finished' : 'crashed';
}
