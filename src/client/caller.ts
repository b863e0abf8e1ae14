import type { CallerProof } from '../api/contract-approvals.ts';
import { fs } from './node.ts';

/** Identifies this process, so that the daemon can find out in which session it runs. */
export function callerProof(env: Readonly<Record<string, string | undefined>>): CallerProof {
  return { pid: process.pid, start: startOfSelf(), run: env.OUTLAST_RUN ?? null };
}

/** The start time of this process as the kernel prints it; null where there is none. */
function startOfSelf(): string | null {
  try {
    const stat = fs.readFileSync('/proc/self/stat', 'latin1');
    // The name in parentheses may contain anything, also parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
