import type { ServerIntent } from '../agent/seam/server.ts';
import type { Effect, Say } from '../core/event.ts';
import { say } from '../core/say.ts';
import { type Prompt, runOf, type Session } from '../core/session.ts';
import { sendingOf, tokenOf } from '../core/steps.ts';
import { sentImages } from './images.ts';

/** The intent that is not known to be carried out: what `intentOf` names, or an unsure prompt. */
export function openIntent(state: string, s: Session): ServerIntent | null {
  if (s.turn.interrupting !== null) return interruptOf(s);
  const prompt = sendingOf(s) ?? s.prompts.find((p) => p.state === 'unsure');
  const spoken = prompt?.run === runOf(s) ? say(prompt) : null;
  return prompt === undefined || spoken === null ? null : deliverOf(state, s, prompt, spoken);
}

type Messaged = Extract<Effect, { kind: 'deliver' | 'answer' | 'interrupt' }>;

/** The intent of an effect. `said`: the reason that goes with an answer, by its event. */
export function intentOfEffect(
  state: string,
  s: Session,
  effect: Messaged,
  said: (seq: number) => { readonly why: string; readonly edit?: string },
): ServerIntent {
  switch (effect.kind) {
    case 'deliver':
      return deliverOf(
        state,
        s,
        s.prompts.find((p) => tokenOf(p) === effect.say.token),
        effect.say,
      );
    case 'interrupt':
      return interruptOf(s);
    case 'answer': {
      const { question, allow, seq } = effect;
      const words = seq === null ? { why: allow ? '' : 'this call no longer needs an answer' } : said(seq);
      return { do: 'answer', question, allow, ...words };
    }
  }
}

function deliverOf(
  state: string,
  { id, spec }: Session,
  prompt: Prompt | undefined,
  { token, text, images }: Say,
): ServerIntent {
  const { model = null, thinking = null } = spec.conversation ?? {};
  const how = { ...(model !== null && { model }), ...(thinking !== null && { thinking }) };
  const sent = images === undefined ? {} : { images: sentImages(state, id, images) };
  return { do: 'deliver', token, text, ...sent, steer: prompt?.now ?? false, ...how };
}

function interruptOf(s: Session): ServerIntent {
  return { do: 'interrupt', token: `${runOf(s)}-${s.turn.interrupting?.sinceMs ?? 0}` };
}
