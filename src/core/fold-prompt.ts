import type { Event, EventBody } from './event.ts';
import { type LastTurn, type Phase, type Prompt, type PromptId, runOf, type Session } from './session.ts';

/** So many of the agent's own ids of turns are remembered: late news is never older than that. */
const MARKS_MAX = 50;

/** What a fact about a prompt changes. */
export function applyPrompt(s: Session, body: EventBody, { steadyMs, atMs }: Event): Session {
  switch (body.type) {
    case 'prompt.queued':
      return { ...s, prompts: [...s.prompts, fresh(body, steadyMs)] };
    case 'prompt.sending':
      return patch(s, body.prompt, {
        state: 'sending',
        turn: body.turn,
        run: body.run,
        entered: false,
        waiting: null,
        mark: null,
        sentAtMs: atMs,
        sinceMs: steadyMs,
      });
    case 'prompt.waiting':
      return patch(s, body.prompt, { state: 'queued', waiting: body.why, sinceMs: steadyMs });
    case 'prompt.entering':
      return patch(s, body.prompt, { entered: true, sinceMs: steadyMs });
    case 'prompt.unsure':
      return patch(s, body.prompt, { state: 'unsure' });
    case 'prompt.accepted':
      return {
        ...remember(patch(s, body.prompt, { state: 'accepted', mark: body.mark ?? null }), body.mark ?? null),
        stale: null,
        phase: { at: s.phase.at === 'blocked' ? 'blocked' : 'working', run: runOf(s), sinceMs: steadyMs },
      };
    case 'prompt.answered':
      return over(s, body.prompt, 'answered', body.reply, steadyMs);
    case 'prompt.failed':
      return over(s, body.prompt, 'failed', body.error, steadyMs);
    case 'prompt.interrupted':
      return over(s, body.prompt, 'interrupted', body.by, steadyMs);
    case 'prompt.dropped': {
      const dropped = s.prompts.find((p) => p.id === body.prompt);
      const stale = dropped?.state === 'unsure' ? dropped.text : s.stale;
      return { ...s, stale, prompts: s.prompts.filter((p) => p.id !== body.prompt) };
    }
    default:
      throw new Error(`apply: no such event: ${body.type}`);
  }
}

/** An id of a turn that is known from now on. */
export function remember(s: Session, mark: string | null): Session {
  return mark === null ? s : { ...s, marks: [...s.marks.slice(1 - MARKS_MAX), mark] };
}

function fresh(body: Extract<EventBody, { type: 'prompt.queued' }>, sinceMs: number): Prompt {
  return {
    id: body.prompt,
    text: body.text,
    state: 'queued',
    turn: 0,
    run: 0,
    entered: false,
    now: body.now ?? false,
    waiting: null,
    mark: null,
    sentAtMs: 0,
    sinceMs,
  };
}

/** A finished turn. In turns the process is still there for a moment; its end makes the session idle. */
function over(s: Session, id: PromptId, how: LastTurn['how'], reply: string, nowMs: number): Session {
  const text = s.prompts.find((p) => p.id === id)?.text ?? '';
  const prompts = s.prompts.filter((p) => p.id !== id);
  const isStill = prompts.some((p) => p.state === 'accepted' && p.run === runOf(s));
  const idle: Phase = { at: 'idle', run: runOf(s), sinceMs: nowMs };
  return {
    ...s,
    faults: how === 'answered' ? 0 : s.faults,
    approvals: [],
    calls: [],
    interrupting: null,
    otherTurn: null,
    prompts,
    last: { prompt: id, text, how, reply },
    stale: how === 'interrupted' ? text : s.stale,
    phase: s.spec.drive === 'turns' || isStill ? s.phase : idle,
  };
}

function patch(s: Session, id: PromptId, prompt: Partial<Prompt>): Session {
  return { ...s, prompts: s.prompts.map((p) => (p.id === id ? { ...p, ...prompt } : p)) };
}
