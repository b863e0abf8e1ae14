import { unreachable } from '../base/assert.ts';
import { byHost, isBound, person } from './actor.ts';
import { decided, SCREEN } from './approval.ts';
import type { EventBody, HookInput } from './event.ts';
import type { Gauged } from './event-body.ts';
import type { Fact } from './fact.ts';
import { isGaugeNews } from './fold-usage.ts';
import { askedAgain } from './postponed.ts';
import { type Prompt, type PromptId, runOf, type Session, type Trouble } from './session.ts';
import { shortened } from './shortened.ts';
import { hung, tokenOf } from './steps.ts';

/** Turns a hook report of the current run into events. The same report twice gives nothing the second time. */
export function admitHook(s: Session, input: HookInput): EventBody[] {
  switch (input.type) {
    // Reports can overtake us: an agent may report before we have seen its terminal.
    case 'hook.opened': {
      const { conversation, transcript, source, run } = input;
      const isKnown =
        s.conversation.id === conversation && s.conversation.transcript === transcript && s.run?.reported === true;
      return isKnown ? [] : [{ type: 'conversation.opened', run, conversation, transcript, source }];
    }
    case 'hook.prompted':
      return admitPrompted(s, input);
    case 'hook.asked':
      return admitAsked(s, input);
    case 'hook.stopped':
      return s.phase.at === 'recovering' ? [] : admitStopped(s, input);
    case 'hook.noted':
      return isNews(s, input) ? noted(s, input.fact) : [];
    default:
      return unreachable(input);
  }
}

/** A decision by rules is written together with its question, so that a crash in between leaves nothing open. */
function admitAsked(s: Session, input: Asked): EventBody[] {
  const { type: _, ruling, ...question } = input;
  const { approval, run, call, tool, hash, subagent } = question;
  if ([...s.gate.approvals.map(({ id }) => id), ...s.gate.answers.map((a) => a.approval)].includes(approval)) return [];
  // A question that is asked again keeps its first id.
  if ([...s.gate.approvals, ...s.gate.answers].some(({ hook }) => hook !== '' && hook === input.hook)) return [];
  // A run that is ending or restarting gets no answer, and without one the call is denied.
  if (s.phase.at === 'recovering' || s.spec.conversation?.gate === undefined) return [];
  const { deferred } = s.gate;
  if (deferred?.is === 'waiting' && isSame(s, input)) {
    return [{ type: 'approval.repeated', approval: deferred.approval, run, hook: input.hook }];
  }
  const called: EventBody = { type: 'tool.called', run, call, tool, input: shortened(input.input), subagent };
  const asked: EventBody = { type: 'approval.asked', ...question, why: ruling.why };
  const isCalled = s.turn.calls.some(({ id }) => id === call);
  const again = askedAgain(s, input, ruling);
  if (again !== null) return isCalled ? [...again] : [called, ...again];
  const events = isCalled ? [asked] : [called, asked];
  if (deferred?.is === 'dropped' && deferred.call === call) {
    const answer = { allow: false, by: byHost('turn-over'), why: 'the turn that it belongs to is over', rule: null };
    return [...events, decided({ id: approval, run, call, tool, hash }, answer)];
  }
  if (ruling.verdict === 'ask') return events;
  const { rule, why } = ruling;
  const answer = { allow: ruling.verdict === 'allow', by: { is: 'rule', rule }, why, rule } as const;
  return [...events, decided({ id: approval, run, call, tool, hash }, answer)];
}

/** For a call from an earlier run, only our own record names the tool. */
function noted(s: Session, fact: Fact | Gauged): EventBody[] {
  const call = fact.type === 'tool.ended' ? s.turn.calls.find(({ id }) => id === fact.call) : undefined;
  const named = fact.type === 'tool.ended' ? { ...fact, tool: call?.tool ?? fact.tool } : fact;
  return [...admitUse(s, named), named];
}

/** Is it exactly the call that was deferred? */
function isSame({ gate: { deferred, approvals, answers } }: Session, { call, tool, hash }: Asked): boolean {
  const known = [...approvals.map((a) => ({ ...a, approval: a.id })), ...answers];
  const asked = known.find(({ approval }) => approval === deferred?.approval);
  return asked !== undefined && asked.call === call && asked.tool === tool && asked.hash === hash;
}

type Asked = Extract<HookInput, { type: 'hook.asked' }>;

/** A call was made. If no approval allowed it, a person did at the screen, or it bypassed the gate. */
function admitUse(s: Session, fact: Fact | Gauged): EventBody[] {
  if (fact.type !== 'tool.ended' || fact.call === null || s.spec.conversation?.gate?.mode !== 'gate') return [];
  if (fact.error !== null || s.gate.answers.some(({ call, allow }) => call === fact.call && allow)) return [];
  const { run, call, tool } = fact;
  const asked = s.gate.approvals.find((a) => a.call === call && a.shown);
  if (asked !== undefined) return [decided(asked, { allow: true, by: SCREEN, why: '', rule: null })];
  const evidence = 'the agent reported that the call was made';
  return [{ type: 'approval.breached', run, call, tool, evidence }, breach(tool)];
}

/** Ends a session whose agent bypassed its gate. */
export function breach(tool: string): EventBody {
  return { type: 'session.closing', outcome: { kind: 'abandoned', fault: { kind: 'breached', tool } }, graceMs: 0 };
}

/** A person may type too: only the prompt with our token is ours. */
function admitPrompted(s: Session, input: Extract<HookInput, { type: 'hook.prompted' }>): EventBody[] {
  const { turnId, run } = input;
  const ours = s.prompts.find((p) => p.run === run && tokenOf(p) === input.token);
  if (ours !== undefined) {
    const isOpen = ours.state === 'sending' || ours.state === 'unsure';
    return isOpen ? [{ type: 'prompt.accepted', prompt: ours.id, turnId }] : [];
  }
  // Checked after ours: a prompt steered into a turn has the id of that turn.
  if (turnId !== null && s.turn.turnIds.includes(turnId)) return [];
  return s.turn.other === null ? [{ type: 'turn.started', run, text: input.text, turnId }] : [];
}

function admitStopped(s: Session, input: Extract<HookInput, { type: 'hook.stopped' }>): EventBody[] {
  const { turnId, reply } = input;
  const other = s.turn.other;
  const isNamed = other !== null && turnId !== null && other.turnId === turnId;
  const ours = isNamed ? [] : s.prompts.filter((p) => isOfTurn(s, p, turnId));
  if (ours.length === 0) {
    const isOther = isNamed || (other !== null && (turnId === null || other.turnId === null));
    const trouble = input.trouble === null ? {} : { trouble: input.trouble };
    return isOther ? [{ type: 'turn.ended', run: input.run, reply, ...trouble }] : [];
  }
  // A process that lives for one turn reports the end of the turn when it exits.
  if (input.more && s.spec.drive === 'turns') return [];
  // The exit of the process says more about a failure than its hook.
  if (input.trouble !== null && s.spec.drive === 'turns') return [];
  const isCancelled = input.interrupted === true;
  const ends = ours.map((p): EventBody => (isCancelled ? cancelled(s, p) : endOf(p.id, input.trouble, reply)));
  // A person answered the dialog, and the turn ended before we looked.
  return s.phase.at === 'held' ? [{ type: 'session.released', run: input.run }, ...ends] : ends;
}

/** A turn that we cancelled because it hung is continued later. */
function cancelled({ turn: { interrupting } }: Session, prompt: Prompt): EventBody {
  const by = interrupting?.by ?? person(null);
  return isBound(by, 'hang') ? hung(prompt) : { type: 'prompt.interrupted', prompt: prompt.id, by };
}

/** How a turn ends for its prompt. `next`, which knows the time, decides what to do about a failure. */
export function endOf(prompt: PromptId, trouble: Trouble | null, reply: string): EventBody {
  if (trouble === null) return { type: 'prompt.answered', prompt, reply };
  return { type: 'prompt.troubled', prompt, trouble, text: reply };
}

/** Does the end of this turn answer the prompt? A prompt steered into a turn ends with it. */
function isOfTurn(s: Session, prompt: Prompt, turnId: string | null): boolean {
  if (prompt.run !== runOf(s)) return false;
  // A run of one turn has one prompt: its end proves that the prompt was received, even if that report was lost. But a
  // run that resumes a deferred call ends that turn first.
  if (s.spec.drive === 'turns' && s.gate.deferred === null) return prompt.state !== 'queued';
  if (prompt.state !== 'accepted') return false;
  if (s.spec.drive === 'turns') return true;
  const turnIds = s.prompts.filter((p) => p.run === prompt.run && p.state === 'accepted').map((p) => p.turnId);
  return turnId === null || turnIds.includes(null) || turnIds.includes(turnId);
}

function isNews(s: Session, { fact }: Extract<HookInput, { type: 'hook.noted' }>): boolean {
  const isOpen = (call: string | null): boolean => s.turn.calls.some(({ id }) => id === call);
  if (fact.type === 'tool.called') return fact.call === null || !isOpen(fact.call);
  if (fact.type === 'tool.ended') return fact.call === null || isOpen(fact.call);
  if (fact.type === 'usage.gauged') return isGaugeNews(s, fact);
  return s.turn.noted !== JSON.stringify(fact);
}
