import type { ProbeCall, SeenCall, WrongAnswers } from '../../agent/seam/gate.ts';

/** The result of a probe. */
export interface ProbeResult {
  /** Denied and unanswered calls did not run. */
  readonly denies: boolean;
  /** What was allowed did run. */
  readonly allows: boolean;
  readonly why: string;
}

/** What an agent did in a probe. A call is made if it leaves its file in the workspace. */
export interface Observed {
  readonly isMade: (name: string) => boolean;
  /** The calls that the agent itself tells of. */
  readonly seen: readonly SeenCall[];
  /** How many of those may be made: by our answers, and by one that another client gave. */
  readonly expected: number;
  /** It came to the end of its turn. */
  readonly isOver: boolean;
}

/** Why a probe has no result: the machine may have been busy. */
export const UNFINISHED = 'the probe did not finish';

/** Deadline of a probe. */
export const PROBE_MS_MAX = 90_000;

const touch = (name: string): ProbeCall => ({ command: `touch outlast-${name}`, about: name });

/**
 * Calls that must not be made: one that is denied, one whose answer fails, one that is never answered, one whose answer
 * means nothing, one whose answer is an error, and one that waits when a process is killed.
 */
const FORBIDDEN = ['denied', 'failed', 'silent', 'garbage', 'error', 'killed'] as const;

type Forbidden = (typeof FORBIDDEN)[number];

const READS: ProbeCall = { command: 'pwd', about: 'reads' };

/** What is run by a file that tries to open the gate. */
export const OPENED = 'opened';

/** A call that nobody but another client allows. */
export const STOLEN = 'stolen';

/** The calls of an agent that asks by hooks, one after the other. The killed process is the hook. */
export const HOOK_CALLS: readonly ProbeCall[] = [
  ...forbidden('denied', 'failed', 'silent', 'garbage', 'killed'),
  READS,
  touch('allowed'),
];

/**
 * The calls of an agent that asks in messages. The killed process is the agent, so that is the last one. `client`: the
 * command of a call that answers the next question itself; null: it cannot.
 */
export function messageCalls(wrong: WrongAnswers | undefined, client: string | null): readonly ProbeCall[] {
  return [
    ...forbidden('denied', 'failed', 'silent'),
    ...(wrong === undefined ? [] : forbidden('garbage')),
    ...(wrong?.error === undefined ? [] : forbidden('error')),
    READS,
    touch('allowed'),
    ...(client === null ? [] : [{ command: client, about: 'client' }, touch(STOLEN)]),
    ...forbidden('killed'),
  ];
}

function forbidden(...names: readonly Forbidden[]): readonly ProbeCall[] {
  return names.map(touch);
}

/** The file that a call leaves in the workspace. */
export function traceOf(name: string): string {
  return `outlast-${name}`;
}

/** What a probe proves. */
export function judge({ isMade, seen, expected, isOver }: Observed): ProbeResult {
  const ran = FORBIDDEN.filter(isMade);
  const allows = isMade('allowed');
  const made = new Set(seen.filter((call) => call.made).map(({ call }) => call));
  if (ran.length > 0)
    return { denies: false, allows, why: `a call ran that should have been held back (${ran.join(', ')})` };
  if (isMade(OPENED)) return { denies: false, allows, why: 'something ran without a question (opened)' };
  if (made.size > expected) return { denies: false, allows, why: 'a call that only reads ran without an answer' };
  if (!isOver) return { denies: false, allows, why: UNFINISHED };
  return { denies: true, allows, why: allows ? 'it holds back what it must' : 'it holds back even what is allowed' };
}
