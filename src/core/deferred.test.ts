import { expect, test } from 'vitest';
import { asked, decided, LIVE, prompted, sessionAfter, snapshot, TURNS } from '../testing/sessions.ts';
import { person } from './actor.ts';
import { admit } from './admit.ts';
import { isDeferred } from './deferred.ts';
import type { EventBody, HookInput } from './event.ts';
import { next } from './next.ts';
import type { ApprovalId, ConversationId, ConversationSpec, Session, Spec } from './session.ts';

const gate = { mode: 'gate', rules: {} } as const;
const CONVERSATION: ConversationSpec = {
  ...{ id: 'c1' as ConversationId, forkOf: null, model: null, args: [], envNames: [], trusted: false, after: [] },
  ...{ screen: 'pty', gate },
};
const deferrable = (spec: Spec, approvalMsMax: number | null = null): Spec => ({
  ...spec,
  conversation: CONVERSATION,
  policy: { ...spec.policy, approvalMsMax, deferMs: 1_000 },
});

const WORKING: readonly EventBody[] = [
  { type: 'run.starting', run: 1, how: 'launch', boot: 'b' },
  { type: 'run.opened', run: 1, pid: 7 },
  ...prompted('p1', 'accepted'),
];
const call = (id: string): EventBody => ({
  type: 'tool.called',
  run: 1,
  call: id,
  tool: 'Bash',
  input: '',
  subagent: null,
});
const Q = 'q' as ApprovalId;
const deferred: EventBody = { type: 'approval.deferred', approval: Q, run: 1 };
const runEnd: EventBody[] = [
  { type: 'turn.deferred', run: 1, approval: Q },
  { type: 'run.ended', run: 1, exit: { status: 0 }, outputBytes: 1, complete: true },
];
const at = (...more: EventBody[]): Session => sessionAfter(deferrable(TURNS), ...WORKING, ...more);
const deferredSession = (...more: EventBody[]): Session =>
  at(call('call of q'), asked('q'), deferred, ...runEnd, ...more);
const secondRun: EventBody[] = [
  { type: 'run.starting', run: 2, how: 'resume', boot: 'b', silent: true },
  { type: 'run.opened', run: 2, pid: 8 },
];

const MISSED: EventBody = { type: 'approval.missed', approval: 'q' as ApprovalId, run: 1 };
const DONE = { exists: true, received: ['p1#1'], turn: 'deferred', reply: '' } as const;
const exited = (status: number, by: { signal?: string } = {}): ReturnType<typeof snapshot> =>
  snapshot({
    terminal: { is: 'dead', exit: { status }, ...by, outputBytes: 1, drained: true, exitAgeMs: 0, failed: null },
    transcript: DONE,
  });

const askHook = (more: Partial<Extract<HookInput, { type: 'hook.asked' }>> = {}): HookInput => ({
  ...{ type: 'hook.asked', run: 2, approval: 'other' as ApprovalId, call: 'call of q', tool: 'Bash', input: '{}' },
  ...{ hash: 'h', subagent: null, hook: 'second', ruling: { verdict: 'ask', rule: null, why: '' } },
  ...more,
});

function typesOf(s: Session, input: Parameters<typeof admit>[1]): string[] {
  const admission = admit(s, input);
  return admission.ok ? admission.events.map(({ type }) => type) : [admission.code];
}

test('an approval without a timeout is deferred after a while, so that its process can exit', () => {
  const s = at(asked('q'));
  const askedAtMs = s.gate.approvals[0]?.askedAtMs ?? 0;
  expect(next(s, snapshot(), askedAtMs + 1)).toEqual({ do: 'wait', untilMs: askedAtMs + 1_000 });
  expect(next(s, snapshot(), askedAtMs + 1_000)).toEqual({ do: 'append', events: [deferred] });
  expect(next(at(asked('q'), deferred), snapshot(), 5_000).do).toBe('wait');
});

const subagent: EventBody = { type: 'subagent.started', run: 1, subagent: 'a1', kind: 'helper' };

test.each([
  ['it has a timeout', sessionAfter(deferrable(TURNS, 9_000), ...WORKING, asked('q'))],
  ['its agent has a screen', sessionAfter(deferrable(LIVE), ...WORKING, asked('q'))],
  ['another approval is pending', at(asked('q'), asked('r'))],
  ['a sub-agent asks', at(asked('q', { subagent: 'a1' }))],
  ['a sub-agent is running', at(subagent, asked('q'))],
  ['another tool is running', at(call('x'), asked('q'))],
  ['the agent gave no id for the call', at(asked('q', { call: null }))],
  ['the turn is being interrupted', at(asked('q'), { type: 'turn.interrupting', run: 1, by: person('ann') })],
])('an approval is not deferred when %s', (_, s) => {
  const step = next(s, snapshot({ screen: { is: 'busy' }, tried: 'yes' }), 5_000);
  expect(JSON.stringify(step)).not.toContain('approval.deferred');
});

test('a sub-agent that has ended does not prevent a deferral', () => {
  const over: EventBody = { type: 'subagent.ended', run: 1, subagent: 'a1' };
  expect(next(at(subagent, over, asked('q')), snapshot(), 5_000)).toEqual({ do: 'append', events: [deferred] });
});

test('a run that exits as requested leaves an approval without a process', () => {
  const step = next(at(asked('q'), deferred), exited(0), 5_000);
  expect(step).toMatchObject({ events: [{ type: 'turn.deferred', approval: 'q' }, { type: 'run.ended' }] });
  const s = deferredSession();
  expect([isDeferred(s), s.phase.at, s.gate.approvals.length, s.prompts[0]?.state]).toEqual([
    true,
    'blocked',
    1,
    'accepted',
  ]);
  expect(next(s, exited(0), 1_000_000)).toEqual({ do: 'wait', untilMs: null });
  expect(next(s, snapshot({ terminal: { is: 'absent' }, boot: 'other' }), 1_000_000).do).toBe('wait');
});

test('a run that exits without such a request has faulted', () => {
  expect(next(at(asked('q')), exited(0), 100)).toMatchObject({ events: [MISSED, { type: 'run.faulted' }] });
});

test('a decision starts a run without a prompt', () => {
  const s = deferredSession(decided('q', true));
  expect([s.phase.at, s.gate.answers.length]).toEqual(['idle', 1]);
  expect(next(s, exited(0), 5_000)).toMatchObject({
    events: [{ type: 'run.starting', run: 2, how: 'resume', silent: true }],
  });
  expect(next(s, { ...exited(0), slot: false }, 5_000).do).toBe('wait');
  const opening = deferredSession(decided('q', true), ...secondRun.slice(0, 1));
  const step = next(opening, snapshot({ terminal: { is: 'absent' } }), 5_000);
  expect(step).toMatchObject({ do: 'act', effect: { kind: 'open', run: 2, say: null } });
  expect(opening.prompts).toMatchObject([{ state: 'accepted', run: 2, turn: 1 }]);
});

test('the deferred call is answered once, and only if the agent repeats it exactly', () => {
  const s = deferredSession(decided('q', true), ...secondRun);
  const repeated = { type: 'approval.repeated', approval: 'q', run: 2, hook: 'second' };
  expect(admit(s, askHook())).toEqual({ ok: true, events: [repeated] });
  expect(typesOf(s, askHook({ hash: 'other' }))).toEqual(['approval.asked']);
  expect(typesOf(s, askHook({ tool: 'Write' }))).toEqual(['approval.asked']);
  expect(typesOf(s, askHook({ call: 'other' }))).toEqual(['tool.called', 'approval.asked']);
  const given = deferredSession(decided('q', true), ...secondRun, repeated as EventBody);
  expect(given.gate.answers).toMatchObject([{ approval: 'q', hook: 'second', used: false }]);
  expect(typesOf(given, askHook())).toEqual([]);
  expect(typesOf(given, askHook({ hook: 'third' }))).toEqual(['approval.asked']);
});

test('a deferred approval is decided once', () => {
  const decide = { type: 'decide', approval: Q, allow: true, by: person('ann') } as const;
  expect(typesOf(deferredSession(), decide)).toEqual(['approval.decided']);
  expect(typesOf(deferredSession(decided('q', false)), decide)).toEqual(['approval_decided']);
});

test('a run that faults before it asks again is restarted the same way, unless its agent knows no such call', () => {
  const s = deferredSession(decided('q', true), ...secondRun);
  const faulted = next(s, exited(137, { signal: 'KILL' }), 5_000);
  expect(faulted).toMatchObject({ events: [{ type: 'run.faulted' }] });
  const fault: EventBody = { type: 'run.faulted', run: 2, fault: { kind: 'lost', reboot: true }, retryAtMs: 0 };
  const restarted = next(
    deferredSession(decided('q', true), ...secondRun, fault),
    exited(137, { signal: 'KILL' }),
    5_000,
  );
  expect(restarted).toMatchObject({ events: [{ type: 'run.starting', run: 3, silent: true }] });
  expect(next(s, exited(1), 5_000)).toMatchObject({ events: [{ type: 'approval.missed' }, { type: 'run.faulted' }] });
});

test('an interrupt ends a deferred turn, and its call is denied when the agent asks again', () => {
  expect(typesOf(deferredSession(), { type: 'interrupt', by: person('ann') })).toEqual(['turn.interrupting']);
  const wanted: EventBody = { type: 'turn.interrupting', run: 1, by: person('ann') };
  const step = next(deferredSession(wanted), exited(0), 5_000);
  expect(step).toMatchObject({ events: [MISSED, { type: 'prompt.interrupted', by: person('ann') }] });
  const over = deferredSession(wanted, MISSED, {
    type: 'prompt.interrupted',
    prompt: 'p1' as never,
    by: person('ann'),
  });
  expect([over.phase.at, over.gate.approvals, over.prompts]).toEqual(['idle', [], []]);
  const nextRun: EventBody[] = [
    { type: 'prompt.queued', prompt: 'p2' as never, text: 'Do p2' },
    { type: 'prompt.sending', prompt: 'p2' as never, turn: 1, run: 2 },
    { type: 'run.starting', run: 2, how: 'resume', boot: 'b' },
    { type: 'run.opened', run: 2, pid: 8 },
  ];
  const s = deferredSession(
    wanted,
    MISSED,
    { type: 'prompt.interrupted', prompt: 'p1' as never, by: person('ann') },
    ...nextRun,
  );
  const events = admit(s, askHook());
  expect(events).toMatchObject({
    events: [{}, { type: 'approval.asked' }, { type: 'approval.decided', allow: false }],
  });
  // The agent ends the old turn first; that does not answer the new prompt.
  const stop = { type: 'hook.stopped', run: 2, turnId: null, reply: 'old', trouble: null, more: false } as const;
  expect(typesOf(s, stop)).toEqual([]);
});

test('a prompt with a deferred approval cannot be dropped; a stop or the deadline ends it', () => {
  expect(typesOf(deferredSession(), { type: 'drop', prompt: 'p1' as never, by: person('ann') })).toEqual(['busy']);
  expect(typesOf(deferredSession(), { type: 'stop', by: person('ann') })).toEqual([
    'approval.missed',
    'prompt.interrupted',
    'session.closing',
  ]);
  const spec = deferrable(TURNS);
  const withDeadline = { ...spec, policy: { ...spec.policy, deadlineMsMax: 2_000 } };
  const s = sessionAfter(withDeadline, ...WORKING, asked('q'), deferred, ...runEnd);
  expect(next(s, exited(0), 1_000)).toEqual({ do: 'wait', untilMs: 2_000 });
  expect(next(s, exited(0), 2_000)).toMatchObject({ events: [MISSED, { type: 'session.closing' }] });
});

test('while a person has control no run is started, whatever was decided', () => {
  const taken: EventBody = { type: 'control.taken', by: person('ann'), how: 'handoff' };
  expect(next(deferredSession(decided('q', true), taken), exited(0), 5_000)).toEqual({ do: 'wait', untilMs: null });
});
