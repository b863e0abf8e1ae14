import { unreachable } from '../base/assert.ts';
import type { EventBody, Input } from './event.ts';
import { runOf } from './fold.ts';
import type { Session } from './session.ts';
import { tokenOf } from './steps.ts';

export type Refusal = 'session_ended' | 'session_live' | 'approval_unknown' | 'input_closed' | 'not_running';

export type Admission =
  | { readonly ok: true; readonly events: readonly EventBody[] }
  | { readonly ok: false; readonly code: Refusal };

const nothing: Admission = { ok: true, events: [] };
const admitted = (...events: EventBody[]): Admission => ({ ok: true, events });
const refused = (code: Refusal): Admission => ({ ok: false, code });

/** Turns a wish or a hook into facts, or says why not. Repeating an input admits nothing new. */
export function admit(s: Session, input: Input): Admission {
  const { phase } = s;
  if (input.type === 'remove') return admitRemove(s, input.by);
  if (phase.at === 'ended' || phase.at === 'closing') {
    // Whoever waited may leave while it closes; then its end must be announced after all.
    if (input.type === 'background' && phase.at === 'closing') return admitWish(s, input);
    // A stop that is to be faster than the one before it.
    const isHarder =
      input.type === 'stop' && phase.at === 'closing' && (input.graceMs ?? phase.graceMs) < phase.graceMs;
    if (isHarder) return admitted({ type: 'session.closing', outcome: phase.outcome, graceMs: input.graceMs ?? 0 });
    const late = input.type.startsWith('hook.') || input.type === 'stop' || input.type === 'background';
    return late ? nothing : refused('session_ended');
  }
  // A hook from an older run is late news. It may not change the present.
  if ('run' in input && input.run !== runOf(s)) return nothing;
  return input.type.startsWith('hook.') ? admitHook(s, input) : admitWish(s, input);
}

function admitRemove(s: Session, by: string): Admission {
  if (s.phase.at !== 'ended') return refused('session_live');
  return s.removed ? nothing : admitted({ type: 'session.removed', by });
}

function admitWish(s: Session, input: Input): Admission {
  switch (input.type) {
    case 'prompt':
      if (s.prompts.some((p) => p.id === input.prompt)) return nothing;
      return admitted({ type: 'prompt.queued', prompt: input.prompt, text: input.text });
    case 'write':
      if (s.run === null || s.phase.at === 'queued' || s.phase.at === 'opening' || s.phase.at === 'recovering') {
        return refused('not_running');
      }
      if (s.run.inputClosed && input.what !== 'interrupt') return refused('input_closed');
      return admitted({ type: 'run.written', run: s.run.number, what: input.what, bytes: input.bytes });
    case 'background':
      return s.background ? nothing : admitted({ type: 'session.backgrounded', by: input.by });
    case 'stop':
      return admitted({
        type: 'session.closing',
        outcome: { kind: 'stopped', by: input.by },
        ...(input.graceMs === undefined ? {} : { graceMs: input.graceMs }),
      });
    case 'decide':
      if (!s.approvals.some((a) => a.id === input.approval)) return refused('approval_unknown');
      return admitted({ type: 'approval.decided', approval: input.approval, allow: input.allow, by: input.by });
    default:
      throw new Error(`admit: no such wish: ${input.type}`);
  }
}

function admitHook(s: Session, input: Input): Admission {
  const { phase } = s;
  const first = s.prompts[0];
  const sent = first !== undefined && first.run === runOf(s);
  switch (input.type) {
    // News can overtake us: an agent may be ready before we have seen its terminal.
    case 'hook.ready':
      return phase.at === 'opening' || phase.at === 'starting'
        ? admitted({ type: 'run.ready', run: input.run, conversation: input.conversation })
        : nothing;
    // A person may type too: only the prompt with our token is ours.
    case 'hook.accepted':
      return sent && input.token === tokenOf(first) && (first.state === 'sending' || first.state === 'unsure')
        ? admitted({ type: 'prompt.accepted', prompt: first.id })
        : nothing;
    case 'hook.asked':
      if (s.approvals.some((a) => a.id === input.approval)) return nothing;
      return phase.at === 'working' || phase.at === 'blocked'
        ? admitted({ type: 'approval.asked', approval: input.approval, tool: input.tool })
        : nothing;
    // The answer proves that the prompt was heard, even when the news of that was lost.
    case 'hook.stopped':
      return sent && input.token === tokenOf(first) && phase.at !== 'recovering'
        ? admitted({ type: 'prompt.answered', prompt: first.id, reply: input.reply })
        : nothing;
    case 'prompt':
    case 'write':
    case 'background':
    case 'stop':
    case 'remove':
    case 'decide':
      return nothing;
    default:
      return unreachable(input);
  }
}
