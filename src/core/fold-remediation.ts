import { unreachable } from '../base/assert.ts';
import type { RemedyBody } from './event-body.ts';
import { freshPrompt } from './fold-prompt.ts';
import { again } from './fold-release.ts';
import { changed } from './parts.ts';
import type { SuspendedPhase } from './remediation.ts';
import type { Phase, Session } from './session.ts';

/** Applies a remedy: a command is sent first, the prompt is sent again, or the conversation becomes a copy. */
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
      if (body.remedy === 'compact')
        return { ...takenUp(s), recovery: { ...s.recovery, remediation: { ...s.recovery.remediation, tried } } };
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
      // Text that was never received may still be in the input box.
      return body.ok ? takenUp(rest) : { ...rest, turn: { ...rest.turn, stale: own?.text ?? s.turn.stale } };
    }
    default:
      return unreachable(body);
  }
}

/** The failed prompt continues. */
function takenUp(s: Session): Session {
  return { ...s, prompts: s.prompts.map((p) => (p.state === 'troubled' ? again(p) : p)) };
}

/**
 * A person visits a held or limited session, which returns to that phase afterwards. The time limited so far counts
 * toward no limit.
 */
export function suspendPhase(s: Session, nowMs: number): Session {
  const { phase } = s;
  if (phase.at !== 'held' && phase.at !== 'limited') return changed(s, 'attendance', { suspendedPhase: null });
  const limitedMs = phase.at === 'limited' ? nowMs - phase.sinceMs : 0;
  const aside = changed(s, 'attendance', { suspendedPhase: { phase, solved: false } });
  return changed(aside, 'accounting', { parkedMs: s.accounting.parkedMs + limitedMs });
}

/** The phase to return to after the visit. */
export function phaseBack({ phase }: SuspendedPhase, run: number, nowMs: number): Phase {
  return phase.at === 'limited' ? { ...phase, run, sinceMs: nowMs } : { ...phase, run };
}
