import type { Session } from './session.ts';

type Part = 'conversation' | 'turn' | 'gate' | 'attendance' | 'recovery' | 'accounting' | 'updates';

/** The session with a part of it changed. */
export function changed<P extends Part>(s: Session, part: P, changes: Partial<Session[P]>): Session {
  return { ...s, [part]: { ...s[part], ...changes } };
}
