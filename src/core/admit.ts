import { unreachable } from '../base/assert.ts';
import type { Actor } from './actor.ts';
import { admitHook } from './admit-hook.ts';
import { admitSwitch, type SwitchInput } from './admit-switch.ts';
import { isDeferred } from './deferred.ts';
import type { EventBody, HookInput, Input } from './event.ts';
import { withImages } from './image.ts';
import { chainAt, type OwnershipInput, readOf } from './ownership.ts';
import { decisionOn, openQuestionsOf } from './postponed.ts';
import { type Prompt, runOf, type Session } from './session.ts';
import { unwanted as interrupted } from './steps.ts';
import { closedBy, interruption, withMissed } from './unanswered.ts';

export type Refusal =
  | 'session_ended'
  | 'session_live'
  | 'approval_unknown'
  | 'approval_decided'
  | 'prompt_unknown'
  | 'input_closed'
  | 'not_running'
  | 'not_working'
  | 'no_prompts'
  | 'no_steering'
  | 'busy'
  | 'handed_off';

export type Admission =
  | { readonly ok: true; readonly events: readonly EventBody[] }
  | { readonly ok: false; readonly code: Refusal };

type Request = Exclude<Input, HookInput | OwnershipInput | SwitchInput>;

const nothing: Admission = { ok: true, events: [] };
const admitted = (...events: EventBody[]): Admission => ({ ok: true, events });
const refused = (code: Refusal): Admission => ({ ok: false, code });

/** Turns a request or a hook report into events, or refuses it with a reason. Repeating an input adds nothing. */
export function admit(s: Session, input: Input): Admission {
  const admission = admitInput(s, input);
  return admission.ok ? admitted(...withMissed(s, admission.events)) : admission;
}

function admitInput(s: Session, input: Input): Admission {
  const { phase } = s;
  if (input.type === 'remove') return admitRemove(s, input.by);
  if (input.type === 'resume') return admitResume(s, input);
  if (input.type === 'switch' || input.type === 'unswitched') return admitSwitch(s, input);
  if (input.type === 'update' || input.type === 'hand-up' || input.type === 'read') return admitOwnership(s, input);
  if (phase.at === 'ended' || phase.at === 'closing') {
    // A caller may stop waiting while the session closes; then its end must be announced.
    if (input.type === 'background' && phase.at === 'closing') return admitRequest(s, input);
    // A stop with a shorter grace period than the one under way.
    const isHarder =
      input.type === 'stop' && phase.at === 'closing' && (input.graceMs ?? phase.graceMs) < phase.graceMs;
    if (isHarder) return admitted({ type: 'session.closing', outcome: phase.outcome, graceMs: input.graceMs ?? 0 });
    const late = isHook(input) || input.type === 'stop' || input.type === 'background';
    return late ? nothing : refused('session_ended');
  }
  if (!isHook(input)) return admitRequest(s, input);
  // A hook of an earlier run is late. It may not change the current state.
  if (input.run !== runOf(s)) return nothing;
  return admitted(...admitHook(s, input));
}

/** Updates are kept for an owner that has ended too: it may be resumed. */
function admitOwnership(s: Session, input: OwnershipInput): Admission {
  if (input.type === 'hand-up') return admitted({ type: 'owner.changed', owner: input.owner });
  if (input.type === 'read') {
    const positions = readOf(s.updates, input);
    return positions.length === 0 ? nothing : admitted({ type: 'update.read', from: input.from, positions });
  }
  const { type, begunMs, ...update } = input;
  return s.removed || type !== 'update'
    ? nothing
    : admitted({ type: 'update.queued', update: { ...update, chain: chainAt(s.updates, begunMs) } });
}

function isHook(input: Input): input is HookInput {
  return input.type.startsWith('hook.');
}

function admitRemove(s: Session, by: Actor): Admission {
  if (s.phase.at !== 'ended') return refused('session_live');
  return s.removed ? nothing : admitted({ type: 'session.removed', by });
}

function admitResume(s: Session, { by, startFresh }: Extract<Request, { type: 'resume' }>): Admission {
  const how = { by, ...(startFresh === true ? { startFresh } : {}) };
  // A session that needs `resume`, or waits for a usage limit, continues.
  if (s.phase.at === 'held' && s.phase.why.needsResume === true)
    return admitted({ type: 'session.released', run: runOf(s), ...how });
  if (s.phase.at === 'limited') return admitted({ type: 'session.unlimited', run: runOf(s), by });
  if (s.phase.at !== 'ended' || s.removed) return refused('session_live');
  return s.spec.drive === 'command' ? refused('no_prompts') : admitted({ type: 'session.resumed', ...how });
}

function admitWrite(s: Session, { what, bytes }: Extract<Input, { type: 'write' }>): Admission {
  if (s.run === null || s.phase.at === 'queued' || s.phase.at === 'opening' || s.phase.at === 'recovering') {
    return refused('not_running');
  }
  // A person types at the agent's own screen; keys sent by others would end up in what they type.
  if (s.attendance.control?.how === 'handoff' && what !== 'size') return refused('handed_off');
  if (s.run.inputClosed && what !== 'interrupt') return refused('input_closed');
  return admitted({ type: 'run.written', run: s.run.number, what, bytes });
}

/** An agent that asks whether it may use a tool is in the middle of its turn. */
function isWorking(s: Session): boolean {
  const isAsking = s.phase.at === 'held' && s.phase.why.about === 'tool';
  const isAtWork = s.phase.at === 'working' || s.phase.at === 'blocked' || isAsking || s.turn.other !== null;
  return isAtWork || (s.phase.at === 'idle' && isDeferred(s));
}

function admitRequest(s: Session, input: Request): Admission {
  switch (input.type) {
    case 'prompt':
      return admitPrompt(s, input);
    case 'drop': {
      const prompt = s.prompts.find((p) => p.id === input.prompt);
      if (prompt === undefined) return refused('prompt_unknown');
      if (prompt.state === 'sending' || prompt.state === 'accepted') return refused('busy');
      return admitted({ type: 'prompt.dropped', prompt: input.prompt, by: input.by });
    }
    case 'write':
      return admitWrite(s, input);
    case 'background':
      return s.background ? nothing : admitted({ type: 'session.backgrounded', by: input.by });
    case 'stop':
      return admitStop(s, input);
    case 'decide':
    case 'show':
    case 'use':
    case 'miss':
    case 'refuse':
      return admitAnswer(s, input);
    case 'interrupt':
      return isWorking(s) ? admitted(...interruption(s, input.by)) : refused('not_working');
    case 'memory':
      return admitMemory(s, input);
    case 'unsafe': {
      if (input.run !== runOf(s) || s.phase.at !== 'opening') return nothing;
      const fault = { kind: 'unstarted', why: input.why } as const;
      return admitted({ type: 'session.closing', outcome: { kind: 'abandoned', fault } });
    }
    case 'visit':
    case 'hand-off':
    case 'hand-back':
      return admitControl(s, input);
    case 'remove':
    case 'resume':
      return nothing;
    default:
      return unreachable(input);
  }
}

function admitPrompt(s: Session, input: Extract<Request, { type: 'prompt' }>): Admission {
  if (s.spec.drive === 'command') return refused('no_prompts');
  if (input.now === true && s.spec.drive === 'turns') return refused('no_steering');
  const { prompt, text, images } = input;
  if (s.prompts.some((p) => p.id === prompt)) return nothing;
  const how = { ...(input.now === true && { now: true }), ...(input.command === true && { command: true }) };
  return admitted({ type: 'prompt.queued', prompt, text, ...withImages(images), ...how });
}

function admitStop(s: Session, input: Extract<Request, { type: 'stop' }>): Admission {
  // A person has been given control: their work is not ours to end.
  if (s.attendance.control?.how === 'handoff' && input.force !== true) return refused('handed_off');
  return admitted(...s.prompts.map((prompt) => unwanted(prompt, input.by)), {
    type: 'session.closing',
    outcome: { kind: 'stopped', by: input.by },
    ...(input.graceMs === undefined ? {} : { graceMs: input.graceMs }),
  });
}

/** Stopping a session withdraws its prompts: a later resume must not continue with them. */
function unwanted({ id, state }: Prompt, by: Actor): EventBody {
  return state === 'queued' || state === 'unsure'
    ? { type: 'prompt.dropped', prompt: id, by }
    : { type: 'prompt.interrupted', prompt: id, by };
}

type Answering = Extract<Request, { type: 'decide' | 'show' | 'use' | 'miss' | 'refuse' }>;

/** A question is answered once: a late or repeated answer changes nothing. */
function admitAnswer(s: Session, input: Answering): Admission {
  if (input.type === 'refuse') {
    const { approval, by } = input;
    return admitted({ type: 'approval.refused', approval, run: runOf(s), by });
  }
  if (input.type === 'use') {
    const isFree = s.gate.answers.some(({ approval, allow, used }) => approval === input.approval && allow && !used);
    if (!isFree) return refused('approval_decided');
    return admitted({ type: 'approval.used', approval: input.approval, run: runOf(s) });
  }
  if (input.type === 'show') {
    const isOpen = s.gate.approvals.some(({ id, hook }) => id === input.approval && hook === '');
    const { approval, hook } = input;
    return isOpen ? admitted({ type: 'approval.shown', approval, run: runOf(s), hook }) : nothing;
  }
  if (input.type === 'miss') {
    const known = [...s.gate.approvals.map(({ id }) => id), ...s.gate.answers.map(({ approval }) => approval)];
    if (!known.includes(input.approval)) return nothing;
    const shown = s.gate.approvals.find(({ id, shown }) => id === input.approval && shown);
    if (input.closed === true && shown !== undefined) return admitted(closedBy(s, shown));
    return admitted({ type: 'approval.missed', approval: input.approval, run: runOf(s) });
  }
  const asked = openQuestionsOf(s).find(({ id }) => id === input.approval);
  if (asked === undefined) {
    const isAnswered = s.gate.answers.some(({ approval }) => approval === input.approval);
    return refused(isAnswered ? 'approval_decided' : 'approval_unknown');
  }
  const { rule, edit, editHash, why = '' } = input;
  const ruled: EventBody[] = rule === undefined ? [] : [{ type: 'approval.ruled', ...rule, by: input.by }];
  const told = { allow: input.allow, by: input.by, why, rule: null };
  const changed = edit === undefined || editHash === undefined ? {} : { edit, editHash };
  return admitted(...decisionOn(s, asked, { ...told, ...changed }), ...ruled);
}

function admitMemory(s: Session, { run, bytes }: Extract<Request, { type: 'memory' }>): Admission {
  const isOver = run !== runOf(s) || s.run?.outputBytes !== null || ['recovering', 'opening'].includes(s.phase.at);
  if (isOver) return nothing;
  const fault = { kind: 'memory', bytes } as const;
  // A command is not restarted. An agent is, once its memory has been freed.
  if (s.spec.drive === 'command') return admitted({ type: 'session.closing', outcome: { kind: 'abandoned', fault } });
  return admitted(...interrupted(s), { type: 'run.faulted', run, fault, retryAtMs: 0 });
}

/** Between turns no process has the conversation open, also while the session is held or limited. */
function isVisitable({ phase, spec }: Session): boolean {
  return phase.at === 'idle' || (spec.drive === 'turns' && (phase.at === 'held' || phase.at === 'limited'));
}

function admitControl(s: Session, input: Extract<Request, { type: 'visit' | 'hand-off' | 'hand-back' }>): Admission {
  if (s.spec.drive === 'command') return refused('no_prompts');
  switch (input.type) {
    case 'visit':
      if (s.attendance.visitWanted) return nothing;
      return isVisitable(s) ? admitted({ type: 'visit.wanted', by: input.by }) : refused('busy');
    case 'hand-off':
      return s.attendance.control?.how === 'handoff'
        ? nothing
        : admitted({ type: 'control.taken', by: input.by, how: 'handoff' });
    case 'hand-back':
      return s.attendance.control?.how === 'handoff' ? admitted({ type: 'control.returned', by: input.by }) : nothing;
    default:
      return unreachable(input);
  }
}
