import { unreachable } from '../base/assert.ts';
import type { RemedyBody } from './event-body.ts';
import { freshPrompt } from './fold-prompt.ts';
import { again } from './fold-release.ts';
import { changed } from './parts.ts';
import type { SuspendedPhase } from './remediation.ts';
import type { Phase, Session } from './session.ts';

/** What a remedy changes: a command goes first, or the conversation will be a copy of what it was. */
export function applyRemedy(s: Session, body: RemedyBody, nowMs: number): Session {
  switch (body.type) {
    case 'remedy.begun': {
      const tried = [...s.recovery.remediation.tried, body.remedy];
      if (body.command !== undefined) {
        const command = { ...freshPrompt({ ...body.command, command: true }, nowMs), remedy: true };
        return {
          ...s,
          recovery: { ...s.recovery, remediation: { ...s.recovery.remediation, tried } },
          prompts: [command, ...s.prompts],
        };
      }
      const origin = s.conversation.id ?? s.spec.conversation?.id ?? null;
      return {
        ...takenUp(s),
        conversation: { ...s.conversation, id: origin },
        recovery: { ...s.recovery, remediation: { tried, origin } },
      };
    }
    case 'remedy.ended': {
      const own = s.prompts.find((p) => p.id === body.prompt);
      const rest = { ...s, prompts: s.prompts.filter((p) => p.id !== body.prompt) };
      // What nobody heard may stand in the box.
      return body.ok ? takenUp(rest) : { ...rest, turn: { ...rest.turn, stale: own?.text ?? s.turn.stale } };
    }
    default:
      return unreachable(body);
  }
}

/** What failed goes on. */
function takenUp(s: Session): Session {
  return { ...s, prompts: s.prompts.map((p) => (p.state === 'troubled' ? again(p) : p)) };
}

/** A person is shown a session that is parked: it will go back there. The time it was limited so far is nobody's. */
export function suspendPhase(s: Session, nowMs: number): Session {
  const { phase } = s;
  if (phase.at !== 'held' && phase.at !== 'limited') return changed(s, 'attendance', { suspendedPhase: null });
  const limitedMs = phase.at === 'limited' ? nowMs - phase.sinceMs : 0;
  const aside = changed(s, 'attendance', { suspendedPhase: { phase, solved: false } });
  return changed(aside, 'accounting', { parkedMs: s.accounting.parkedMs + limitedMs });
}

/** Where it goes back to when they have left. */
export function phaseBack({ phase }: SuspendedPhase, run: number, nowMs: number): Phase {
  return phase.at === 'limited' ? { ...phase, run, sinceMs: nowMs } : { ...phase, run };
}
