import { expect, test } from 'vitest';
import { asked, CONVERSATION, decided, LIVE, prompted, READY, sessionAfter, snapshot } from '../testing/sessions.ts';
import { person } from './actor.ts';
import { admit } from './admit.ts';
import type { EventBody, HookInput } from './event.ts';
import { next } from './next.ts';
import { openQuestionsOf, postponedOf } from './postponed.ts';
import type { ApprovalId, ConversationId, Session, Spec } from './session.ts';

const Q = 'q' as ApprovalId;
const FOR_EVER: Spec = {
  ...LIVE,
  drive: 'server',
  keepOpen: false,
  conversation: { ...CONVERSATION, gate: { mode: 'gate', rules: {} } },
  policy: { ...LIVE.policy, approvalMsMax: null, deferMs: 60_000 },
};
const ASKED = asked('q', { waitsMs: 600_000 });
const POSTPONED: EventBody = { type: 'approval.postponed', approval: Q, run: 1 };
const ANSWERED: EventBody = { type: 'prompt.answered', prompt: 'p1' as never, reply: 'I wait' };
const called = (id: string): EventBody => {
  return { type: 'tool.called', run: 1, call: id, tool: 'Bash', input: '{"command":"make"}', subagent: null };
};

function after(spec: Spec, ...more: readonly EventBody[]): Session {
  return sessionAfter(spec, ...READY, ...prompted('p1', 'accepted'), called('call of q'), ...more);
}

const late = (...more: readonly EventBody[]): Session => after(FOR_EVER, ASKED, POSTPONED, ...more);

function again(more: Partial<Extract<HookInput, { type: 'hook.asked' }>> = {}): HookInput {
  return {
    ...{ type: 'hook.asked', run: 1, approval: 'other' as ApprovalId, call: 'new', tool: 'Bash', input: '{}' },
    ...{ hash: 'h', subagent: null, hook: 'second', ruling: { verdict: 'ask', rule: null, why: '' } },
    ...more,
  };
}

function typesOf(s: Session, input: Parameters<typeof admit>[1]): string[] {
  const admission = admit(s, input);
  return admission.ok ? admission.events.map(({ type }) => type) : [admission.code];
}

/** When the call of a session is postponed, from the moment it was asked about; null: never. */
function postponedAfterMs(spec: Spec, question: EventBody = ASKED): number | null {
  const s = after(spec, question);
  const at = s.gate.approvals[0]?.askedAtMs ?? 0;
  const busy = snapshot({ screen: { is: 'busy' } });
  const isDue = (ms: number): boolean => {
    const step = next(s, busy, at + ms);
    return step.do === 'append' && step.events.some(({ type }) => type === 'approval.postponed');
  };
  return [30_000, 50_000, 590_000].find(isDue) ?? null;
}

test('an agent is told to go on shortly before it gives up, sooner if wanted, and not if a timeout comes first', () => {
  const timed = { ...FOR_EVER, policy: { ...FOR_EVER.policy, approvalMsMax: 3_600_000 } };
  expect(postponedAfterMs(FOR_EVER)).toBe(590_000);
  expect(postponedAfterMs({ ...FOR_EVER, policy: { ...FOR_EVER.policy, deferMs: 3_000 } })).toBe(30_000);
  expect(postponedAfterMs(timed)).toBe(590_000);
  expect(postponedAfterMs({ ...timed, policy: { ...timed.policy, approvalMsMax: 300_000 } })).toBeNull();
  expect(postponedAfterMs(FOR_EVER, asked('q', { waitsMs: 60_000 }))).toBe(50_000);
});

test('one that waits for ever, and a call of a sub-agent, are not postponed', () => {
  expect(postponedAfterMs(FOR_EVER, asked('q'))).toBeNull();
  expect(postponedAfterMs(FOR_EVER, asked('q', { waitsMs: 600_000, subagent: 'a1' }))).toBeNull();
});

test('a postponed call is denied for the agent, stays open for people, and keeps its session from ending', () => {
  const s = late(ANSWERED);
  expect(s.gate.approvals).toEqual([]);
  expect(s.gate.answers).toMatchObject([{ hook: 'hook of q', allow: false }]);
  expect(openQuestionsOf(s)).toMatchObject([{ id: Q, tool: 'Bash' }]);
  expect(next(s, snapshot(), 10_000).do).toBe('wait');
});

test('a decision is told in a prompt, with the call; a second one is refused', () => {
  const yes = { type: 'decide', approval: Q, allow: true, by: person('ann'), why: 'go on' } as const;
  const admission = admit(late(ANSWERED), yes);
  const text = expect.stringMatching(/allowed now, once.*The reason: go on\n\nBash {"command":"make"}/s);
  expect(admission).toMatchObject({
    ok: true,
    events: [
      { type: 'approval.decided', allow: true },
      { type: 'prompt.queued', prompt: 'decided-q', text },
    ],
  });
  expect(admit(late(ANSWERED, decided('q', true)), yes)).toEqual({ ok: false, code: 'approval_decided' });
  expect(JSON.stringify(admit(late(), { ...yes, allow: false }))).toContain('was denied. Do not make it again.');
});

test('a yes counts once, for the same call of the same conversation, and not against a rule', () => {
  const allowed = late(ANSWERED, decided('q', true), ...prompted('decided-q', 'accepted'));
  expect(typesOf(allowed, again())).toEqual(['tool.called', 'approval.repeated', 'approval.used']);
  expect(typesOf(allowed, again({ hash: 'other' }))).toEqual(['tool.called', 'approval.asked']);
  expect(typesOf(allowed, again({ tool: 'Other' }))).toEqual(['tool.called', 'approval.asked']);
  expect(typesOf(allowed, again({ subagent: 'a1' }))).toEqual(['tool.called', 'approval.asked']);
  const forbidden = { verdict: 'deny', rule: 'deny Bash', why: 'never' } as const;
  expect(typesOf(allowed, again({ ruling: forbidden }))).toEqual(['tool.called', 'approval.asked', 'approval.decided']);
  const repeated: EventBody = { type: 'approval.repeated', approval: Q, run: 1, hook: 'second', call: 'new' };
  const [given] = [...late(ANSWERED, decided('q', true), repeated).gate.answers].reverse();
  expect(given).toMatchObject({ approval: Q, call: 'new', hook: 'second', allow: true, used: false });
  expect(typesOf(late(ANSWERED, decided('q', true), repeated), again({ hook: 'third', call: 'next' }))).toEqual([
    'tool.called',
    'approval.asked',
  ]);
  const opened = { type: 'conversation.opened', run: 1, transcript: null, source: 'clear' } as const;
  const other = late(ANSWERED, decided('q', true), { ...opened, conversation: 'c2' as ConversationId });
  expect(typesOf(other, again())).toEqual(['tool.called', 'approval.asked']);
});

test('a yes is over with the turn that was told about it', () => {
  const told = prompted('decided-q', 'accepted');
  const answered: EventBody = { type: 'prompt.answered', prompt: 'decided-q' as never, reply: 'no need' };
  const s = late(ANSWERED, decided('q', true), ...told, answered);
  expect(postponedOf(s)).toEqual([]);
  expect(typesOf(s, again())).toEqual(['tool.called', 'approval.asked']);
});

test('a call that the agent makes again before the decision is the same question, which a rule may decide', () => {
  expect(typesOf(late(), again())).toEqual(['tool.called', 'approval.repeated']);
  const rules = { verdict: 'allow', rule: 'allow Bash', why: '' } as const;
  expect(typesOf(late(), again({ ruling: rules }))).toEqual(['tool.called', 'approval.repeated', 'approval.decided']);
  const repeated: EventBody = { type: 'approval.repeated', approval: Q, run: 1, hook: 'second', call: 'new' };
  const s = late(repeated);
  expect([s.phase.at, s.gate.approvals, postponedOf(s)]).toMatchObject([
    'blocked',
    [{ id: Q, hook: 'second', call: 'new' }],
    [],
  ]);
});

test('a session that is stopped, and one whose conversation is another, miss the decision', () => {
  expect(typesOf(late(ANSWERED), { type: 'stop', by: person('ann') })).toEqual(['approval.missed', 'session.closing']);
  const clear = { type: 'hook.opened', run: 1, transcript: null, source: 'clear' } as const;
  expect(typesOf(late(ANSWERED), { ...clear, conversation: 'c2' as ConversationId })).toEqual([
    'approval.missed',
    'conversation.opened',
  ]);
});

test('a postponed call that nobody decides about in time is denied, and the agent is told', () => {
  const timed = { ...FOR_EVER, policy: { ...FOR_EVER.policy, approvalMsMax: 3_600_000 } };
  const s = after(timed, ASKED, POSTPONED, ANSWERED);
  expect(next(s, snapshot(), 4_000_000)).toMatchObject({
    events: [{ type: 'approval.decided', allow: false }, { type: 'prompt.queued' }],
  });
});
