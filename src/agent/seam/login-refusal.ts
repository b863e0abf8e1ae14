import type { RunExit, TurnEnd } from './turns.ts';

/** A process that a signal ended has a higher status. */
const EXITED_MAX = 128;

/**
 * The end of a turn that never began because nobody is logged in: the agent says so to people, on its error output, and
 * exits. `words`: how it says so. Null: it ended for another reason, or has not.
 */
export function loginRefusal(exit: RunExit | undefined, words: RegExp): TurnEnd | null {
  if (exit === undefined || exit.status === 0 || exit.status > EXITED_MAX) return null;
  const line = exit.errors.split('\n').find((each) => words.test(each));
  return line === undefined ? null : { turn: 'failed', reply: line.trim(), trouble: { kind: 'login' } };
}
