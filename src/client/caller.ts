import type { CallerProof } from '../api/contract-approvals.ts';
import { fs } from './node.ts';

/** Who we are, so that the daemon can see for itself where we run. */
export function callerProof(env: Readonly<Record<string, string | undefined>>): CallerProof {
  return { pid: process.pid, start: startOfSelf(), run: env.OUTLAST_RUN ?? null };
}

/** When this process started, in the kernel's own words; null where it does not tell. */
function startOfSelf(): string | null {
  try {
    const stat = fs.readFileSync('/proc/self/stat', 'latin1');
    // The name in parentheses may hold anything, also parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
