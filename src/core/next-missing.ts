import type { Step } from './event.ts';
import { TRANSCRIPT } from './fold-release.ts';
import { runOf, type Session } from './session.ts';
import type { Sight } from './sight.ts';
import { append } from './steps.ts';

const HELP = [
  'Put it back, then: outlast resume.',
  'To begin another conversation in its place, which knows nothing of this one: outlast resume --anew.',
  'Or stop it',
].join(' ');

/** A conversation that had begun and is not to be found: in its place nothing is begun before somebody says so. */
export function nextMissing(s: Session, { transcript: { exists, place } }: Sight): Step | null {
  if (s.written !== 'yes' || exists || place === undefined) return null;
  const text = `its conversation is gone: ${place} is not there, is empty or cannot be read. ${HELP}`;
  return append({ type: 'session.held', run: runOf(s), why: { kind: TRANSCRIPT, text, word: true } });
}
