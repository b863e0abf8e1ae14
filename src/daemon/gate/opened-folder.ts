import type { GateWay } from '../../agent/seam/gate.ts';
import { type ProbeResult, UNFINISHED } from './probe-calls.ts';

/**
 * Tries a gate among files that would open it. If it does not hold there, it is tried without them too, to say whether
 * they are the reason: it is not proven in either case.
 */
export async function inOpenedFolder(
  { openers }: Pick<GateWay, 'openers'>,
  tryOut: (isOpened: boolean) => Promise<ProbeResult>,
): Promise<ProbeResult> {
  const result = await tryOut(true);
  if (openers?.files === undefined || result.denies || result.why.startsWith(UNFINISHED)) return result;
  const without = await tryOut(false);
  return without.denies ? { ...result, why: `files of the folder or of the user open it: ${result.why}` } : result;
}
