import type { Admission } from './admit.ts';
import type { Input } from './event.ts';
import type { Session } from './session.ts';

/** That another agent takes over, or that none can. */
export type SwitchInput = Extract<Input, { type: 'switch' | 'unswitched' }>;

/** Another agent takes over between turns only: what is being done is finished or given up first. */
export function admitSwitch(s: Session, input: SwitchInput): Admission {
  if (input.type === 'unswitched') return { ok: true, events: [{ type: 'session.unswitched', why: input.why }] };
  const { by, why, to } = input;
  if (s.spec.drive === 'command') return { ok: false, code: 'no_prompts' };
  if (s.removed) return { ok: false, code: 'session_ended' };
  if (s.attendance.control?.how === 'handoff') return { ok: false, code: 'handed_off' };
  if (s.conversation.switchTo !== undefined) return { ok: true, events: [] };
  const switching = { type: 'session.switching', by, why, to } as const;
  if (s.phase.at === 'ended') return { ok: true, events: [{ type: 'session.resumed', by }, switching] };
  return isSwitchable(s) ? { ok: true, events: [switching] } : { ok: false, code: 'busy' };
}

function isSwitchable({ phase, prompts, attendance, restored }: Session): boolean {
  if (attendance.control !== null || attendance.visitWanted || restored) return false;
  const isUnderWay = prompts.some(({ state }) => state === 'sending' || state === 'accepted');
  if (phase.at === 'held') return phase.why.needsResume === true;
  return phase.at === 'limited' || (phase.at === 'idle' && !isUnderWay);
}
