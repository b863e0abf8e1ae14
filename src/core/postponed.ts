import type { Answer, Approval, ApprovalBody, ApprovalId, Postponed } from './approval.ts';
import { decided } from './approval.ts';
import type { EventBody } from './event.ts';
import { changed } from './parts.ts';
import { type PromptId, runOf, type Session } from './session.ts';

// A question that outlives the patience of its agent: the agent is told to go on without the call, and the question
// stays open. A prompt tells the agent how it was decided; an allowed call may then be made once.

type Body<Type extends ApprovalBody['type']> = Extract<ApprovalBody, { type: Type }>;
type Verdict = Pick<Body<'approval.decided'>, 'allow' | 'by' | 'why' | 'rule' | 'edit' | 'editHash'>;

/** How long before the end of its patience the agent gets an answer, if it is patient enough. */
const SPARE_MS = 10_000;
/** A deferred call goes on in its turn. A postponed one costs two turns, so it waits this many times as long. */
const TIMES_LATER = 10;

/** What the agent is told about a call that is postponed. */
export const POSTPONED =
  'This call waits for the approval of a person, which may take hours. It was not made. Do not make it again and do ' +
  'not look for a way around it: continue with what does not need it, or end your turn. You will be told the decision.';

/** When the agent is told to go on without the call of a question; null: it waits as long as the answer takes. */
export function postponeDueMs(s: Session, { waitsMs, askedAtMs, subagent }: Approval): number | null {
  const isGated = s.spec.conversation?.gate?.mode === 'gate';
  // A sub-agent is gone when the decision comes.
  if (waitsMs === undefined || subagent !== null || !isGated || s.turn.interrupting !== null) return null;
  const patienceMs = Math.max(waitsMs - SPARE_MS, waitsMs / 2);
  const { approvalMsMax, deferMs = patienceMs } = s.spec.policy;
  // It may well wait for a timeout that comes sooner.
  return askedAtMs + (approvalMsMax === null ? Math.min(deferMs * TIMES_LATER, patienceMs) : patienceMs);
}

/** The questions that wait for a person, with those that the agent does not wait for any more. */
export function openQuestionsOf(s: Session): readonly Approval[] {
  const late = postponedOf(s).flatMap(({ approval, allowedSeq }) => (allowedSeq === null ? [approval] : []));
  return [...late, ...s.gate.approvals];
}

/** The calls that the agent was told to go on without. */
export function postponedOf({ gate }: Session): readonly Postponed[] {
  return gate.postponed ?? [];
}

/** The events of a decision. An agent that does not wait for it is told in a prompt. */
export function decisionOn(s: Session, asked: Approval, verdict: Verdict): readonly EventBody[] {
  const postponed = postponedOf(s).find(({ approval }) => approval.id === asked.id);
  const decision = decided(asked, verdict);
  if (postponed === undefined) return [decision];
  return [decision, { type: 'prompt.queued', prompt: promptOf(asked.id), text: toldOf(postponed, verdict) }];
}

function promptOf(approval: ApprovalId): PromptId {
  return `decided-${approval}` as PromptId;
}

function toldOf({ approval: { tool }, input }: Postponed, { allow, why }: Verdict): string {
  const reason = why === '' ? '' : ` The reason: ${why}`;
  const what = allow
    ? 'is allowed now, once and exactly as it was. Make it again if it is still needed.'
    : 'was denied. Do not make it again.';
  return `A tool call of yours waited for approval. It was not made, and ${what}${reason}\n\n${tool} ${input}`;
}

/** The events when the agent asks again about a call that was postponed; null: it is another call. */
export function askedAgain(
  s: Session,
  asked: Pick<Approval, 'run' | 'call' | 'tool' | 'hash' | 'hook' | 'subagent'>,
  { verdict, rule, why }: { verdict: 'allow' | 'ask' | 'deny'; rule: string | null; why: string },
): readonly EventBody[] | null {
  const isSame = ({ approval: { tool, hash } }: Postponed): boolean => tool === asked.tool && hash === asked.hash;
  const known = asked.subagent === null ? postponedOf(s).find(isSame) : undefined;
  if (known === undefined) return null;
  const { approval, allowedSeq } = known;
  // A rule that denies it is newer than the decision, or stronger.
  if (allowedSeq !== null && verdict === 'deny') return null;
  const { run, call, hook } = asked;
  const again: EventBody = { type: 'approval.repeated', approval: approval.id, run, hook, call };
  const used: EventBody = { type: 'approval.used', approval: approval.id, run };
  const told = s.prompts.find(({ id, state }) => id === promptOf(approval.id) && state === 'queued');
  // It has to be told nothing any more.
  if (told !== undefined)
    return [again, used, { type: 'prompt.dropped', prompt: told.id, by: { is: 'host', why: 'asked-again' } }];
  if (allowedSeq !== null) return [again, used];
  if (verdict === 'ask') return [again];
  const answer = { allow: verdict === 'allow', by: { is: 'rule', rule }, why, rule } as const;
  return [again, decided({ ...approval, run, call }, answer)];
}

/** The agent is told to go on: for it the call is denied. */
export function postponed(
  s: Session,
  { approval: id }: Body<'approval.postponed'>,
  seq: number,
  nowMs: number,
): Session {
  const asked = s.gate.approvals.find((each) => each.id === id);
  if (asked === undefined) return s;
  const { call, tool, hash, hook } = asked;
  const input = s.turn.calls.find((each) => each.id === call)?.input ?? '';
  const denial: Answer = {
    ...{
      approval: id,
      call,
      tool,
      hash,
      granted: hash,
      hook,
      shown: false,
      allow: false,
      used: false,
      atMs: nowMs,
      seq,
    },
  };
  return changed(s, 'gate', {
    answers: [...s.gate.answers, denial],
    postponed: [...postponedOf(s), { approval: { ...asked, hook: '' }, input, allowedSeq: null }],
  });
}

/** A decision about a question that the agent does not wait for: a yes is kept until the agent asks again. */
export function decidedLate(s: Session, { approval: id, allow }: Body<'approval.decided'>, seq: number): Session {
  return changed(s, 'gate', {
    postponed: postponedOf(s).flatMap((each) => {
      if (each.approval.id !== id) return [each];
      return allow ? [{ ...each, allowedSeq: seq }] : [];
    }),
  });
}

/** The agent asks again: it waits for the decision as before, or gets it. */
export function repeatedLate(s: Session, body: Body<'approval.repeated'>, nowMs: number): Session {
  const { approval: id, run, hook, call = null } = body;
  const known = postponedOf(s).find(({ approval }) => approval.id === id);
  if (known === undefined) return s;
  const { approval, allowedSeq } = known;
  const rest = postponedOf(s).filter((each) => each !== known);
  if (allowedSeq === null) {
    const asked = { ...approval, run, hook, call, askedAtMs: nowMs };
    const phase = s.phase.at === 'working' ? ({ at: 'blocked', run: runOf(s), sinceMs: nowMs } as const) : s.phase;
    return { ...changed(s, 'gate', { postponed: rest, approvals: [...s.gate.approvals, asked] }), phase };
  }
  const { tool, hash } = approval;
  const answer: Answer = {
    ...{ approval: id, call, tool, hash, granted: hash, hook, shown: false, allow: true, used: false, atMs: nowMs },
    seq: allowedSeq,
  };
  return changed(s, 'gate', { postponed: rest, answers: [...s.gate.answers, answer] });
}

/** The prompt that told the agent about a decision is over: what it did not do by then is asked about again. */
export function toldAbout(s: Session, prompt: PromptId): Session {
  const rest = postponedOf(s).filter(({ approval }) => promptOf(approval.id) !== prompt);
  return rest.length === postponedOf(s).length ? s : changed(s, 'gate', { postponed: rest });
}
