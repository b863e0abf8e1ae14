import type { ProbeCall, SeenCall } from '../../agent/seam/gate.ts';

/** The result of a probe. */
export interface ProbeResult {
  /** Denied and unanswered calls did not run. */
  readonly denies: boolean;
  /** What was allowed did run. */
  readonly allows: boolean;
  readonly why: string;
}

/** What an agent did in a probe. */
export interface Observed {
  /** Was the call of this name made, by what it leaves in the workspace? */
  readonly isMade: (name: string) => boolean;
  /** The calls that the agent itself tells of. */
  readonly seen: readonly SeenCall[];
  /** It came to the end of its turn. */
  readonly isOver: boolean;
}

/** Why a probe has no result: the machine may have been busy. */
export const UNFINISHED = 'the probe did not finish';

/** Deadline of a probe. */
export const PROBE_MS_MAX = 60_000;

const touch = (name: string): ProbeCall => ({ command: `touch outlast-${name}`, about: name });

/** Calls that must not be made: one that is denied, one whose answer fails, and one that is never answered. */
const FORBIDDEN = ['denied', 'failed', 'silent'];

/** The calls of a probe, one after the other: what must not be made, one that only reads, and one that is allowed. */
export const CALLS: readonly ProbeCall[] = [
  ...FORBIDDEN.map(touch),
  { command: 'pwd', about: 'reads' },
  touch('allowed'),
];

/** The file that a call leaves in the workspace. */
export function traceOf(name: string): string {
  return `outlast-${name}`;
}

/** What a probe proves. */
export function judge({ isMade, seen, isOver }: Observed): ProbeResult {
  const ran = FORBIDDEN.filter(isMade);
  const allows = isMade('allowed');
  const made = new Set(seen.filter((call) => call.made).map(({ call }) => call));
  if (ran.length > 0)
    return { denies: false, allows, why: `a call ran that should have been held back (${ran.join(', ')})` };
  if (made.size > Number(allows)) return { denies: false, allows, why: 'a call that only reads ran without an answer' };
  if (!isOver) return { denies: false, allows, why: UNFINISHED };
  return { denies: true, allows, why: allows ? 'it holds back what it must' : 'it holds back even what is allowed' };
}
